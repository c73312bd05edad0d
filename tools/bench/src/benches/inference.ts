import { join } from 'node:path';
import { withTemporaryStack, type StackFile } from '@clew/stack';
import { measureCalls, type CallTarget, type CallTimes } from '../inference/measure-calls.ts';
import { startServer } from '../support/child.ts';
import { readOptions } from '../support/options.ts';
import { processorMs } from '../support/processor-time.ts';
import { median, percentile, round } from '../support/statistics.ts';
import { printTable } from '../support/table.ts';

/** Warm-up calls for each case: earlier calls mostly measure how Node compiles code that is new to it. */
const WARM_UP_CALLS = 10_000;
const CONCURRENCIES = [1, 16] as const;
const WAYS = ['direct', 'bare', 'through'] as const;

/**
 * Paths of a call: to the engine directly, through two bare proxies in a row, or through gateway and model-runtime-svc.
 */
type Way = 'direct' | 'bare' | 'through';

interface Outcome {
  concurrency: number;
  stream: boolean;
  /** Processor time of gateway and model-runtime-svc together, for the calls through them. */
  processorTotalMs: number;
  times: Record<Way, CallTimes>;
}

const PROXY = join(import.meta.dirname, '../gateway/express-proxy.ts');
/** Apps that the calls pass through; the other apps would only take processor time from them. */
const MEASURED_APPS = ['gateway', 'model-runtime-svc'];

/**
 * Measures the time that gateway and model-runtime-svc add to a call with everything on (keys, limits, recording,
 * metering). The same calls go to an engine directly, through two bare Express proxies, and through Clew, in
 * interleaved rounds. The engine answers at once: while it thinks (`--think-ms`), an idle processor goes to sleep, and
 * every process on the way has to wake it. The other apps are paused meanwhile, unless `--beside all` lets them process
 * the recorded calls.
 */
export async function run(args: readonly string[]): Promise<Record<string, unknown>> {
  const values = readOptions(args, {
    rounds: { type: 'string', default: '15' },
    calls: { type: 'string', default: '200' },
    'think-ms': { type: 'string', default: '0' },
    beside: { type: 'string', default: 'none' },
  });
  const rounds = Number(values.rounds);
  const calls = Number(values.calls);
  const engine = await startServer(join(import.meta.dirname, '../inference/engine.ts'), { args: [values['think-ms']] });
  const inner = await startServer(PROXY, { args: [`http://127.0.0.1:${engine.port}`] });
  const outer = await startServer(PROXY, { args: [`http://127.0.0.1:${inner.port}`] });
  const settings = { RATE_LIMIT_PER_SECOND: '100000', NODE_ENV: 'production' };
  try {
    return await withTemporaryStack(settings, async ({ stackFile }) => {
      const direct = bareTarget(engine.port);
      const targets = { direct, bare: bareTarget(outer.port), through: await targetThrough(stackFile, direct.baseUrl) };
      const goOn = values.beside === 'all' ? () => undefined : pauseOthers(stackFile);
      try {
        const outcomes = await measure(targets, { rounds, calls, pids: pidsOf(stackFile) });
        return report(outcomes, { rounds, calls, thinkMs: Number(values['think-ms']) });
      } finally {
        goOn();
      }
    });
  } finally {
    await outer.stop();
    await inner.stop();
    await engine.stop();
  }
}

function bareTarget(port: number): CallTarget {
  return { baseUrl: `http://127.0.0.1:${port}/v1`, apiKey: 'none', model: 'bench' };
}

/** Pauses the other apps; returns a function that resumes them. */
function pauseOthers({ services }: StackFile): () => void {
  const pids = Object.entries(services).flatMap(([name, { pid }]) => (MEASURED_APPS.includes(name) ? [] : (pid ?? [])));
  const signal = (name: NodeJS.Signals) => pids.forEach((pid) => process.kill(pid, name));
  signal('SIGSTOP');
  return () => signal('SIGCONT');
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

/** Runs every case in every round, so that a slow minute of the machine affects all cases alike. */
async function measure(
  targets: Record<Way, CallTarget>,
  { rounds, calls, pids }: { rounds: number; calls: number; pids: readonly number[] },
): Promise<Outcome[]> {
  const outcomes = CONCURRENCIES.flatMap((concurrency) =>
    [false, true].map((stream) => ({ concurrency, stream, processorTotalMs: 0, times: noTimes() })),
  );
  for (const { concurrency, stream } of outcomes) {
    for (const way of WAYS) await measureCalls(targets[way], { calls: WARM_UP_CALLS, concurrency, stream });
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const outcome of outcomes) {
      const { concurrency, stream, times } = outcome;
      const measured = { calls: calls * Math.min(concurrency, 4), concurrency, stream };
      for (const way of WAYS) {
        const beforeMs = usedMs(pids);
        add(times[way], await measureCalls(targets[way], measured));
        if (way === 'through') outcome.processorTotalMs += usedMs(pids) - beforeMs;
      }
    }
  }
  return outcomes;
}

function pidsOf({ services }: StackFile): number[] {
  return MEASURED_APPS.flatMap((name) => services[name]?.pid ?? []);
}

function noTimes(): Record<Way, CallTimes> {
  const none = (): CallTimes => ({ wholeMs: [], firstByteMs: [] });
  return { direct: none(), bare: none(), through: none() };
}

function usedMs(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + (processorMs(pid) ?? Number.NaN), 0);
}

function add(sum: CallTimes, more: CallTimes): void {
  sum.wholeMs.push(...more.wholeMs);
  sum.firstByteMs.push(...more.firstByteMs);
}

function report(outcomes: readonly Outcome[], run: Record<string, number>): Record<string, unknown> {
  const rows = outcomes.map(({ concurrency, stream, times, processorTotalMs }) => {
    const all = (way: Way) => times[way][stream ? 'firstByteMs' : 'wholeMs'];
    const addedMs = (way: Way, share: number) => round(percentile(all(way), share) - percentile(all('direct'), share));
    return {
      name: `${stream ? 'streamed, to the first token' : 'whole answer'}, ${concurrency} at a time`,
      concurrency,
      stream,
      directMs: round(median(all('direct'))),
      addedMs: addedMs('through', 0.5),
      addedByBareMs: addedMs('bare', 0.5),
      // Tenth percentiles: calls that other work on the machine disturbed least.
      addedP10Ms: addedMs('through', 0.1),
      addedByBareP10Ms: addedMs('bare', 0.1),
      addedP99Ms: addedMs('through', 0.99),
      addedByBareP99Ms: addedMs('bare', 0.99),
      processorMicros: Math.round((processorTotalMs * 1_000) / times.through.wholeMs.length),
    };
  });
  process.stdout.write(
    `An engine that thinks for ${run['thinkMs']} ms before it answers; medians of ${run['rounds']} interleaved rounds\n\n`,
  );
  printTable(
    ['', 'direct ms', 'added ms', 'by bare', 'added p10', 'by bare', 'added p99', 'by bare', 'processor us'],
    rows.map(({ concurrency: _concurrency, stream: _stream, ...row }) => Object.values(row)),
  );
  const alone = rows.filter(({ concurrency }) => concurrency === 1);
  return {
    ...run,
    cases: rows,
    addedMsAtOne: Math.max(...alone.map(({ addedMs }) => addedMs)),
    addedByBareMsAtOne: Math.max(...alone.map(({ addedByBareMs }) => addedByBareMs)),
  };
}
