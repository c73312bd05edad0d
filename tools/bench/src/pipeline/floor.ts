import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runScript } from '../support/child.ts';
import type { PipelineWorkload } from './workload.ts';

const SCRIPT = join(import.meta.dirname, 'assemble-in-memory.ts');

/** Processor milliseconds per conversation that one process needs to assemble and evaluate it, without any server. */
export async function measureFloor({ records }: PipelineWorkload): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'clew-floor-'));
  try {
    const file = join(folder, 'records.jsonl');
    writeFileSync(file, records.map((groups) => JSON.stringify(groups)).join('\n'));
    const printed = await runScript(SCRIPT, { env: {}, args: [file] });
    return Number(printed.trim().split('\n').at(-1));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
