import { join } from 'node:path';
import { withTemporaryStack } from '@clew/stack';
import { startTraceCollector } from '@clew/testing/trace-collector';
import { alternate, ratioOf } from '../pipeline/alternating.ts';
import { compareDatasets } from '../pipeline/besides.ts';
import { createCollecting } from '../pipeline/collecting.ts';
import { measureFloor } from '../pipeline/floor.ts';
import { load, type Load } from '../pipeline/load.ts';
import { createPipelineWorkload, SHAPES } from '../pipeline/workload.ts';
import { readOptions } from '../support/options.ts';
import { round, sumOf } from '../support/statistics.ts';
import { printTable } from '../support/table.ts';

/** Time that each run waits for looks where Datasets are compared: what the idle stack uses meanwhile counts for all. */
const LOOKS_MS = 5_000;
const FRAGMENTS = ['trace_fragments', 'fragment_contents'];
const SET_RULES = join(import.meta.dirname, '../pipeline/set-rules.ts');
const PROFILE = join(import.meta.dirname, '../pipeline/profile.ts');

/**
 * Measures the way from span to Finding: conversations are sent through the gateway, and the clock stops when the Rules
 * of the last one have ended. It runs with 1, 5 and 20 Rules and, with `--fill n`, again on a store that holds n times
 * as much. Beside them, in the same run, one process assembles and evaluates the same conversations in memory. With
 * `--workers 1,2`, `--warehouses 1,2`, `--tracing off,0.1,1` or `--datasets 0,1` (Datasets that preserve successful
 * behavior, whose looks are waited for as well, as long without one), all combinations of the values run, and each is
 * compared with the first; several runs with and without Datasets are also compared beside what the processes need that a
 * Dataset does not touch. With `--alternating n`, one stack gets n times four loads instead, with a Dataset that
 * collects switched off, on, on and off: what it adds is a small part, which is lost among stacks that are measured
 * minutes apart.
 */
export async function run(args: readonly string[]): Promise<Record<string, unknown>> {
  const values = readOptions(args, {
    conversations: { type: 'string', default: '2883' },
    rules: { type: 'string', default: '1,5,20' },
    fill: { type: 'string', default: '0' },
    shape: { type: 'string', default: 'trace' },
    workers: { type: 'string', default: '1' },
    warehouses: { type: 'string', default: '1' },
    /** Sampled shares of requests, each compared with the first; `off` runs without a collector. */
    tracing: { type: 'string', default: 'off' },
    datasets: { type: 'string', default: '0' },
    /** Conversations before the measured ones; looks of Datasets need some thousands, as they are at few of them. */
    'warm-up': { type: 'string', default: '200' },
    alternating: { type: 'string', default: '0' },
    /** Folder for the processor profiles of all apps. */
    profiles: { type: 'string', default: '' },
  });
  const conversations = Number(values.conversations);
  const shape = SHAPES.find((known) => known === values.shape) ?? 'trace';
  const workloadOf = (count: number, seed: string) => createPipelineWorkload(count, seed, shape);
  if (values.alternating !== '0') return await runAlternating(Number(values.alternating), conversations, values);
  const floor = await measureFloor(workloadOf(conversations, 'floor'));
  const figures: RunFigures[] = [];
  const collector = await startTraceCollector();
  for (const { rules, replicas, tracing, datasets, name } of setupsOf(values)) {
    const traced = tracing === 'off' ? {} : tracedTo(collector.url, tracing);
    await withTemporaryStack({ ...settingsFor(rules, replicas, values.profiles), ...traced }, async (stack) => {
      for (let made = 0; made < datasets; made += 1) await createCollecting(stack.stackFile);
      const awaited = { rules, looksMs: values.datasets === '0' ? 0 : LOOKS_MS, datasets };
      await load(stack, workloadOf(Math.min(Number(values['warm-up']), conversations), 'warm-up'), awaited);
      figures.push({ ...figuresOf(name, await load(stack, workloadOf(conversations, 'load'), awaited)), datasets });
      const fill = Number(values.fill);
      if (fill === 0) return;
      for (let part = 1; part < fill; part += 1) {
        await load(stack, workloadOf(conversations, `fill-${part}`), awaited);
      }
      const onto = await load(stack, workloadOf(conversations, 'second'), awaited);
      figures.push({ ...figuresOf(`${name}, ${fill} times fuller`, onto), datasets });
    });
  }
  await collector.stop();
  print(figures, floor);
  return { conversations, shape, floorProcessorMs: floor, ...compareDatasets(figures), runs: figures };
}

type RunFigures = ReturnType<typeof figuresOf> & {
  /** Datasets that collect. */
  datasets: number;
};

/** Compares loads with a Dataset that collects with loads without, in one stack. */
async function runAlternating(
  rounds: number,
  conversations: number,
  values: { rules: string; profiles: string },
): Promise<Record<string, unknown>> {
  const rules = Number(values.rules.split(',')[0]);
  let figures: Record<string, unknown> = {};
  await withTemporaryStack(settingsFor(rules, undefined, values.profiles), async (stack) => {
    const measured = await alternate(stack, { rounds, conversations, awaited: { rules, looksMs: LOOKS_MS } });
    figures = ratioOf(measured);
  });
  return { conversations, rules, ...figures };
}

interface Setup {
  name: string;
  rules: number;
  /** Value of CLEW_REPLICAS; undefined if no setup of this run has replicas. */
  replicas: string | undefined;
  tracing: string;
  /** Number of Datasets that collect. */
  datasets: number;
}

function setupsOf(values: Record<'rules' | 'workers' | 'warehouses' | 'tracing' | 'datasets', string>): Setup[] {
  const [workers, warehouses] = [values.workers, values.warehouses].map((counts) => counts.split(',')) as [
    string[],
    string[],
  ];
  const areSeveral = [...workers, ...warehouses].some((count) => count !== '1');
  return values.rules.split(',').flatMap((rules) =>
    warehouses.flatMap((warehouse) =>
      workers.flatMap((worker) =>
        values.tracing.split(',').flatMap((tracing) =>
          values.datasets.split(',').map((datasets) => ({
            rules: Number(rules),
            // Set for a single warehouse too, which then also has a front: so only the second warehouse makes the
            // difference.
            replicas: areSeveral ? `jobs-worker=${worker},telemetry-warehouse=${warehouse}` : undefined,
            tracing,
            datasets: Number(datasets),
            name: [
              `${rules} rules${areSeveral ? `, workers: ${worker}, warehouses: ${warehouse}` : ''}`,
              ...(values.tracing === 'off' ? [] : [`traced: ${tracing}`]),
              ...(values.datasets === '0' ? [] : [`datasets: ${datasets}`]),
            ].join(', '),
          })),
        ),
      ),
    ),
  );
}

function tracedTo(url: string, share: string): NodeJS.ProcessEnv {
  return { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_TRACES_SAMPLER_ARG: share };
}

function settingsFor(rules: number, replicas: string | undefined, profiles: string): NodeJS.ProcessEnv {
  return {
    ...(replicas === undefined ? {} : { CLEW_REPLICAS: replicas }),
    RATE_LIMIT_PER_SECOND: '100000',
    NODE_ENV: 'production',
    CLEW_BENCH_RULES: String(rules),
    NODE_OPTIONS: `--import=${SET_RULES}${profiles === '' ? '' : ` --import=${PROFILE}`}`,
    ...(profiles === '' ? {} : { CLEW_BENCH_PROFILES: profiles }),
  };
}

function figuresOf(name: string, measured: Load) {
  const { conversations, spans, acceptedMs, analysedMs, used, attributeBytes } = measured;
  const each = (total: number) => round(total / conversations, 2);
  const processes = Object.entries(used.processorMs).map(([process, ms]) => [process, each(ms)] as const);
  return {
    name,
    conversationsPerSecond: round((conversations / analysedMs) * 1000, 1),
    spansPerSecond: Math.round((spans / analysedMs) * 1000),
    spansAcceptedPerSecond: Math.round((spans / acceptedMs) * 1000),
    processorMsEach: each(processes.reduce((sum, [, ms]) => sum + ms * conversations, 0)),
    processorMsEachOf: Object.fromEntries(processes),
    mongoCommandsEach: each(used.mongoCommands),
    transactionsEach: each(used.transactions),
    documentsWrittenEach: each(used.documentsWritten),
    diskBytesPerSpan: Math.round(sumOf(Object.values(measured.diskBytes)) / spans),
    /** Bytes of the spans themselves: content, facts and indexes. */
    fragmentBytesPerSpan: Math.round(sumOf(FRAGMENTS.map((name) => measured.diskBytes[name] ?? 0)) / spans),
    diskBytesPerSpanOf: Object.fromEntries(
      Object.entries(measured.diskBytes).map(([name, bytes]) => [name, round(bytes / spans, 1)]),
    ),
    attributeBytesPerSpan: Math.round(attributeBytes / spans),
  };
}

function print(figures: readonly RunFigures[], floorMs: number): void {
  const first = figures[0]?.conversationsPerSecond ?? Number.NaN;
  printTable(
    [
      'run',
      'conversations/s',
      'of the first',
      'cpu ms each',
      'commands',
      'transactions',
      'documents',
      'disk B a span (spans alone)',
    ],
    figures.map((one) => [
      one.name,
      String(one.conversationsPerSecond),
      String(round(one.conversationsPerSecond / first, 2)),
      String(one.processorMsEach),
      String(one.mongoCommandsEach),
      String(one.transactionsEach),
      String(one.documentsWrittenEach),
      `${one.diskBytesPerSpan} (${one.fragmentBytesPerSpan}) of ${one.attributeBytesPerSpan}`,
    ]),
  );
  process.stderr.write(`assembled and evaluated in memory: ${round(floorMs, 2)} ms of processor each\n`);
}
