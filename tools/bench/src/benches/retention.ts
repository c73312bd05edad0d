import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readJson } from '@clew/kernel';
import { createPipelineWorkload } from '../pipeline/workload.ts';
import { figuresOf, type Disk, type Read, type Swept } from '../retention/figures.ts';
import { runScript } from '../support/child.ts';
import { readOptions } from '../support/options.ts';
import { openServers } from '../support/servers.ts';
import { SERVICE_ENVIRONMENT, SERVICE_NODE_OPTIONS } from '../support/service-process.ts';

const SCRIPT = join(import.meta.dirname, '../../../../apps/telemetry-warehouse/bench/retention.ts');
const DATABASE = 'bench_retention';
const PATTERNS = 500;
/** Node options of the service, plus the one that allows garbage collection on request. */
const NODE_OPTIONS = [...SERVICE_NODE_OPTIONS, '--expose-gc'];

/**
 * Measures retention of `spans` expired spans in a process of its own: speed, memory, disk usage, and concurrent reads
 * of another process. Then it fills in as many spans again, which must fit into the existing files.
 */
export async function run(args: readonly string[]): Promise<Record<string, unknown>> {
  const { spans } = readOptions(args, { spans: { type: 'string', default: '1000000' } });
  const folder = mkdtempSync(join(tmpdir(), 'clew-bench-retention-'));
  const file = join(folder, 'conversations.jsonl');
  const { records } = createPipelineWorkload(PATTERNS, 'retention', 'turns');
  writeFileSync(file, records.map((groups) => JSON.stringify(groups)).join('\n'));
  const servers = await openServers();
  const script = async (mode: string, ...more: string[]) =>
    readJson(
      await runScript(SCRIPT, {
        args: [mode, servers.mongoUrl, DATABASE, ...more],
        nodeOptions: NODE_OPTIONS,
        env: SERVICE_ENVIRONMENT,
      }),
    );
  const disk = async () => (await script('disk')) as Disk;
  try {
    const { expired } = (await script('fill', spans, file)) as { expired: number };
    const before = await disk();
    const { result, reads } = await withReads(servers.mongoUrl, async () => (await script('sweep')) as Swept);
    const after = await disk();
    await script('fill', spans, file);
    return figuresOf({ spans: expired, swept: result, reads, disk: { before, after, again: await disk() } });
  } finally {
    await servers.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs the work while another process reads; returns the reads too. */
async function withReads<Result>(
  mongoUrl: string,
  work: () => Promise<Result>,
): Promise<{ result: Result; reads: Read[] }> {
  const args = ['--conditions=clew-source', SCRIPT, 'read', mongoUrl, DATABASE];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  const ended = once(child, 'close');
  try {
    const result = await work();
    child.stdin.end();
    await ended;
    return { result, reads: (readJson(text) as { reads: Read[] }).reads };
  } finally {
    child.stdin.end();
    await ended;
  }
}
