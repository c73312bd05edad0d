import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { withTemporaryStack, type StackFile } from '@clew/stack';
import { measureCalls, type CallTarget, type CallTimes } from '../inference/measure-calls.ts';
import { startServer } from '../support/child.ts';
import { processorMs } from '../support/processor-time.ts';
import { median, percentile, round } from '../support/statistics.ts';
import { printTable } from '../support/table.ts';

const WARM_UP_CALLS = 300;
const CONCURRENCIES = [1, 16] as const;

interface Case {
  concurrency: number;
  stream: boolean;
}

interface Outcome extends Case {
  /** Of gateway and model-runtime-svc together, for each call. */
  processorMicros: number;
  direct: CallTimes;
  through: CallTimes;
}

/**
 * What gateway and model-runtime-svc add to a call, with everything switched on (keys, limits, recording, metering):
 * the same calls to an engine directly and through Clew, in interleaved rounds.
 */
export async function run(args: readonly string[]): Promise<Record<string, unknown>> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rounds: { type: 'string', default: '5' },
      calls: { type: 'string', default: '200' },
      'think-ms': { type: 'string', default: '20' },
    },
  });
  const rounds = Number(values.rounds);
  const calls = Number(values.calls);
  const engine = await startServer(join(import.meta.dirname, '../inference/engine.ts'), { args: [values['think-ms']] });
  const direct: CallTarget = { baseUrl: `http://127.0.0.1:${engine.port}/v1`, apiKey: 'none', model: 'bench' };
  const settings = { RATE_LIMIT_PER_SECOND: '100000', NODE_ENV: 'production' };
  try {
    return await withTemporaryStack(settings, async ({ stackFile }) => {
      const through = await targetThrough(stackFile, direct.baseUrl);
      const cases = CONCURRENCIES.flatMap((concurrency) => [false, true].map((stream) => ({ concurrency, stream })));
      const outcomes: Outcome[] = [];
      for (const each of cases)
        outcomes.push(await measureCase(each, { direct, through }, { rounds, calls, pids: pidsOf(stackFile) }));
      return report(outcomes, { rounds, calls, thinkMs: Number(values['think-ms']) });
    });
  } finally {
    await engine.stop();
  }
}

async function targetThrough({ gatewayUrl, apiKey, projectId }: StackFile, baseUrl: string): Promise<CallTarget> {
  const response = await fetch(new URL(`/v1/projects/${projectId}/models/providers`, gatewayUrl), {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'engine', baseUrl }),
  });
  if (response.status !== 201) throw new Error(`The provider could not be made: ${await response.text()}`);
  return { baseUrl: new URL('/v1', gatewayUrl).href, apiKey, model: 'engine/bench' };
}

async function measureCase(
  { concurrency, stream }: Case,
  targets: { direct: CallTarget; through: CallTarget },
  { rounds, calls, pids }: { rounds: number; calls: number; pids: readonly number[] },
): Promise<Outcome> {
  const total = calls * Math.min(concurrency, 4);
  const direct: CallTimes = { wholeMs: [], firstByteMs: [] };
  const through: CallTimes = { wholeMs: [], firstByteMs: [] };
  let processorTotalMs = 0;
  await measureCalls(targets.through, { calls: WARM_UP_CALLS, concurrency, stream });
  for (let index = 0; index < rounds; index += 1) {
    add(direct, await measureCalls(targets.direct, { calls: total, concurrency, stream }));
    const beforeMs = usedMs(pids);
    add(through, await measureCalls(targets.through, { calls: total, concurrency, stream }));
    processorTotalMs += usedMs(pids) - beforeMs;
  }
  const processorMicros = (processorTotalMs * 1_000) / through.wholeMs.length;
  return { concurrency, stream, direct, through, processorMicros };
}

function pidsOf({ services }: StackFile): number[] {
  return ['gateway', 'model-runtime-svc'].flatMap((name) => services[name]?.pid ?? []);
}

function usedMs(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + (processorMs(pid) ?? Number.NaN), 0);
}

function add(sum: CallTimes, more: CallTimes): void {
  sum.wholeMs.push(...more.wholeMs);
  sum.firstByteMs.push(...more.firstByteMs);
}

function report(outcomes: readonly Outcome[], run: Record<string, number>): Record<string, unknown> {
  const rows = outcomes.map(({ concurrency, stream, direct, through, processorMicros }) => {
    const measured = stream ? 'firstByteMs' : 'wholeMs';
    return {
      name: `${stream ? 'streamed, to the first token' : 'whole answer'}, ${concurrency} at a time`,
      concurrency,
      stream,
      directMs: round(median(direct[measured])),
      throughMs: round(median(through[measured])),
      addedMs: round(median(through[measured]) - median(direct[measured])),
      // Of the calls that other work on the machine disturbed least.
      addedP10Ms: round(percentile(through[measured], 0.1) - percentile(direct[measured], 0.1)),
      addedP99Ms: round(percentile(through[measured], 0.99) - percentile(direct[measured], 0.99)),
      processorMicros: Math.round(processorMicros),
    };
  });
  process.stdout.write(
    `An engine that thinks for ${run['thinkMs']} ms; medians of ${run['rounds']} interleaved rounds\n\n`,
  );
  printTable(
    ['', 'direct ms', 'through Clew ms', 'added ms', 'added p10 ms', 'added p99 ms', 'processor us'],
    rows.map(({ concurrency: _concurrency, stream: _stream, ...row }) => Object.values(row)),
  );
  const alone = rows.filter(({ concurrency }) => concurrency === 1).map(({ addedMs }) => addedMs);
  return { ...run, cases: rows, addedMsAtOne: Math.max(...alone) };
}
