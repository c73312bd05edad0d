import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { withTemporaryStack, type StackFile, type TemporaryStack } from '@clew/stack';
import { startTraceCollector } from '@clew/testing/trace-collector';
import { MongoClient, type Collection } from 'mongodb';
import { sendAll } from '../ingest/send.ts';
import { createCollecting, untilLookedAt } from '../pipeline/collecting.ts';
import { measureFloor } from '../pipeline/floor.ts';
import { createPipelineWorkload, SHAPES, type PipelineWorkload } from '../pipeline/workload.ts';
import { processesOf, usageOf, usedBetween, type Usage } from '../support/usage.ts';
import { readOptions } from '../support/options.ts';
import { round } from '../support/statistics.ts';
import { printTable } from '../support/table.ts';

const CONCURRENCY = 4;
const POLL_MS = 500;
const COMMANDS_OF_A_POLL = 4;
/** Quiet time of the development stack; the figures exclude it. */
const QUIET_MS = 2_000;
/** Time that each run waits for looks where Datasets are compared: what the idle stack uses meanwhile counts for all. */
const LOOKS_MS = 5_000;
const FRAGMENTS = ['trace_fragments', 'fragment_contents'];
const SET_RULES = join(import.meta.dirname, '../pipeline/set-rules.ts');
const PROFILE = join(import.meta.dirname, '../pipeline/profile.ts');

interface Load {
  conversations: number;
  spans: number;
  acceptedMs: number;
  /** Time until all Rules of the last conversation have ended and its Findings are readable, without the quiet time. */
  analysedMs: number;
  used: Usage;
  attributeBytes: number;
  /** Bytes on disk, by collection. */
  diskBytes: Record<string, number>;
}

/**
 * Measures the way from span to Finding: conversations are sent through the gateway, and the clock stops when the Rules
 * of the last one have ended. It runs with 1, 5 and 20 Rules and, with `--fill n`, again on a store that holds n times
 * as much. Beside them, in the same run, one process assembles and evaluates the same conversations in memory. With
 * `--workers 1,2`, `--warehouses 1,2`, `--tracing off,0.1,1` or `--datasets 0,1` (Datasets that preserve successful
 * behavior, whose looks are waited for as well, as long without one), all combinations of the values run, and each is
 * compared with the first.
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
    /** Folder for the processor profiles of all apps. */
    profiles: { type: 'string', default: '' },
  });
  const conversations = Number(values.conversations);
  const shape = SHAPES.find((known) => known === values.shape) ?? 'trace';
  const workloadOf = (count: number, seed: string) => createPipelineWorkload(count, seed, shape);
  const floor = await measureFloor(workloadOf(conversations, 'floor'));
  const figures: Record<string, unknown>[] = [];
  const collector = await startTraceCollector();
  for (const { rules, replicas, tracing, datasets, name } of setupsOf(values)) {
    const traced = tracing === 'off' ? {} : tracedTo(collector.url, tracing);
    await withTemporaryStack({ ...settingsFor(rules, replicas, values.profiles), ...traced }, async (stack) => {
      for (let made = 0; made < datasets; made += 1) await createCollecting(stack.stackFile);
      const awaited = { rules, looksMs: values.datasets === '0' ? 0 : LOOKS_MS };
      await load(stack, workloadOf(Math.min(200, conversations), 'warm-up'), awaited);
      figures.push(figuresOf(name, await load(stack, workloadOf(conversations, 'load'), awaited)));
      const fill = Number(values.fill);
      if (fill === 0) return;
      for (let part = 1; part < fill; part += 1) {
        await load(stack, workloadOf(conversations, `fill-${part}`), awaited);
      }
      const onto = await load(stack, workloadOf(conversations, 'second'), awaited);
      figures.push(figuresOf(`${name}, ${fill} times fuller`, onto));
    });
  }
  await collector.stop();
  print(figures, floor);
  return { conversations, shape, floorProcessorMs: floor, runs: figures };
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

/** End of a load: its Rules have all ended, and Datasets have had a time for their looks. */
interface Awaited {
  rules: number;
  looksMs: number;
}

async function load(
  { stackFile, env }: TemporaryStack,
  workload: PipelineWorkload,
  { rules, looksMs }: Awaited,
): Promise<Load> {
  const client = await MongoClient.connect(stackFile.mongoUrl);
  const processes = processesOf(String(env['CLEW_HOME']));
  try {
    const goal = await expectedCounts(client, workload, rules);
    const disk = await diskBytes(client);
    const before = await usageOf(client, processes);
    const startedAtMs = performance.now();
    const { gatewayUrl, apiKey } = stackFile;
    await sendAll({ gatewayUrl, apiKey, bodies: workload.bodies, concurrency: CONCURRENCY });
    const acceptedMs = performance.now() - startedAtMs;
    const polls = await untilAnalysed(client, goal);
    await readFindings(stackFile);
    const analysedMs = performance.now() - startedAtMs - QUIET_MS;
    await Promise.all([untilLookedAt(client, goal.readyConversations), sleep(looksMs)]);
    const used = usedBetween(before, await usageOf(client, processes));
    used.mongoCommands -= polls * COMMANDS_OF_A_POLL;
    await client.db('admin').command({ fsync: 1 });
    return {
      ...{ conversations: workload.conversationCount, spans: workload.spanCount },
      ...{ acceptedMs, analysedMs, used, attributeBytes: workload.attributeBytes },
      diskBytes: grown(disk, await diskBytes(client)),
    };
  } finally {
    await client.close();
  }
}

interface Goal {
  readyConversations: number;
  endedRuns: number;
}

/** Expected counts: those of now, plus those of the workload. */
async function expectedCounts(client: MongoClient, workload: PipelineWorkload, rules: number): Promise<Goal> {
  const now = await countsOf(client);
  return {
    readyConversations: now.readyConversations + workload.conversationCount,
    endedRuns: now.endedRuns + workload.conversationCount * rules,
  };
}

async function countsOf(client: MongoClient): Promise<Goal> {
  const [conversations, analyses] = [
    client.db('clew_telemetry').collection('conversations'),
    client.db('clew_diagnostics').collection('analyses'),
  ];
  return {
    readyConversations: await conversations.countDocuments({ snapshotId: { $ne: null }, dueAt: null }),
    endedRuns: await endedRunsOf(analyses),
  };
}

/** Counts ended runs: the record of a snapshot whose Rules have all ended lists them in one text. */
async function endedRunsOf(analyses: Collection): Promise<number> {
  const runs = { $size: { $split: ['$rules', ' '] } };
  const counted = analyses.aggregate<{ runs: number }>([
    { $match: { endedAt: { $ne: null } } },
    { $group: { _id: null, runs: { $sum: runs } } },
  ]);
  return (await counted.next())?.runs ?? 0;
}

async function untilAnalysed(client: MongoClient, goal: Goal): Promise<number> {
  for (let polls = 1; ; polls += 1) {
    const { readyConversations, endedRuns } = await countsOf(client);
    if (readyConversations >= goal.readyConversations && endedRuns >= goal.endedRuns) return polls;
    await sleep(POLL_MS);
  }
}

async function readFindings({ gatewayUrl, apiKey, projectId }: StackFile): Promise<void> {
  const response = await fetch(`${gatewayUrl}/v1/projects/${projectId}/diagnostics/findings?limit=1`, {
    headers: { authorization: `Bearer ${apiKey}` },
  });
  if (!response.ok) throw new Error(`Findings cannot be read: ${response.status}`);
  await response.arrayBuffer();
}

/** Bytes on disk of telemetry documents and indexes, by collection. */
async function diskBytes(client: MongoClient): Promise<Record<string, number>> {
  const db = client.db('clew_telemetry');
  const names = (await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name);
  const sizes = names.map(async (name) => {
    const [stats] = await db
      .collection(name)
      .aggregate<{ storageStats: { totalSize: number } }>([{ $collStats: { storageStats: {} } }])
      .toArray();
    return [name, stats?.storageStats.totalSize ?? 0] as const;
  });
  return Object.fromEntries(await Promise.all(sizes));
}

function grown(before: Record<string, number>, after: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(after).map(([name, bytes]) => [name, bytes - (before[name] ?? 0)]));
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0);
}

function figuresOf(name: string, measured: Load): Record<string, unknown> {
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

function print(figures: readonly Record<string, unknown>[], floorMs: number): void {
  const first = Number(figures[0]?.['conversationsPerSecond']);
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
      String(one['name']),
      String(one['conversationsPerSecond']),
      String(round(Number(one['conversationsPerSecond']) / first, 2)),
      String(one['processorMsEach']),
      String(one['mongoCommandsEach']),
      String(one['transactionsEach']),
      String(one['documentsWrittenEach']),
      `${String(one['diskBytesPerSpan'])} (${String(one['fragmentBytesPerSpan'])}) of ${String(one['attributeBytesPerSpan'])}`,
    ]),
  );
  process.stderr.write(`assembled and evaluated in memory: ${round(floorMs, 2)} ms of processor each\n`);
}
