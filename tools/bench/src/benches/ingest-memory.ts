import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { HEAVY_LOADS, type HeavyLoad } from '../ingest/heavy-loads.ts';
import { startIngest, type IngestProcess } from '../ingest/ingest-process.ts';
import { keepQueueEmpty } from '../ingest/keep-queue-empty.ts';
import { peakMemoryMib } from '../ingest/memory.ts';
import { prepareForm, type MeasuredForm } from '../support/measured-form.ts';
import { readOptions } from '../support/options.ts';
import { openServers } from '../support/servers.ts';
import { printTable } from '../support/table.ts';

const RETRY_PAUSE_MS = 100;

/** Measures the peak memory of one telemetry-ingest process under each load that is far beyond normal. */
export async function run(args: readonly string[]): Promise<Record<string, unknown>> {
  const values = readOptions(args, {
    seconds: { type: 'string', default: '8' },
    /** Filter: only loads whose name contains this text run. */
    load: { type: 'string', default: '' },
    /** `dist` runs the build output, `src` the sources. */
    from: { type: 'string', default: 'dist' },
  });
  const from = await prepareForm(values.from);
  const servers = await openServers();
  const stopEmptying = await keepQueueEmpty(servers.amqpUrl);
  const loads = [];
  try {
    for (const load of HEAVY_LOADS.filter(({ name }) => name.includes(values.load))) {
      const measured = await measure(load, servers.amqpUrl, from, 1_000 * Number(values.seconds));
      process.stderr.write(`${measured.load}: ${measured.peakMib} MiB\n`);
      loads.push(measured);
    }
  } finally {
    await stopEmptying();
    await servers.stop();
  }
  printTable(
    ['load', 'peak MiB', 'answers'],
    loads.map(({ load, peakMib, answers }) => [load, peakMib, JSON.stringify(answers)]),
  );
  return { peakMib: Math.max(...loads.map(({ peakMib }) => peakMib)), loads };
}

/** Starts a new process for each load, so that its peak memory belongs to that load. */
async function measure(load: HeavyLoad, amqpUrl: string, from: MeasuredForm, durationMs: number) {
  const folder = mkdtempSync(join(tmpdir(), 'clew-bench-ingest-'));
  const ingest = await startIngest(folder, amqpUrl, from);
  try {
    const answers = await sendFor(ingest, load, durationMs);
    return { load: load.name, peakMib: peakMemoryMib(ingest.pid), answers };
  } finally {
    await ingest.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Sends the same request on all connections until the time is over, and counts the answers by status. */
async function sendFor(ingest: IngestProcess, load: HeavyLoad, durationMs: number): Promise<Record<string, number>> {
  const agent = new Agent({ connections: load.connections });
  const body = load.body();
  const answers = new Map<string, number>();
  const endMs = performance.now() + durationMs;
  const work = async () => {
    while (performance.now() < endMs) {
      const answer = await send(ingest, load, body, agent);
      answers.set(answer, (answers.get(answer) ?? 0) + 1);
      if (answer === '503') await sleep(RETRY_PAUSE_MS);
    }
  };
  await Promise.all(Array.from({ length: load.connections }, work));
  await agent.close();
  return Object.fromEntries(answers);
}

async function send(ingest: IngestProcess, load: HeavyLoad, body: Buffer, agent: Agent): Promise<string> {
  const {
    statusCode,
    headers,
    body: answer,
  } = await request(`${ingest.url}${load.path}`, {
    method: 'POST',
    dispatcher: agent,
    headers: { ...ingest.identity(), ...load.headers },
    body,
  });
  await answer.dump();
  return statusCode === 503 && headers['retry-after'] === undefined ? '503 without Retry-After' : String(statusCode);
}
