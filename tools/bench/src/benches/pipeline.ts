import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { withTemporaryStack, type StackFile, type TemporaryStack } from '@clew/stack';
import { MongoClient } from 'mongodb';
import { sendAll } from '../ingest/send.ts';
import { measureFloor } from '../pipeline/floor.ts';
import { createPipelineWorkload, type PipelineWorkload } from '../pipeline/workload.ts';
import { processesOf, usageOf, usedBetween, type Usage } from '../pipeline/usage.ts';
import { readOptions } from '../support/options.ts';
import { round } from '../support/statistics.ts';
import { printTable } from '../support/table.ts';

const CONCURRENCY = 4;
const POLL_MS = 500;
const COMMANDS_OF_A_POLL = 4;
/** As the development stack has it; it is left out of the figures. */
const QUIET_MS = 2_000;
const SET_RULES = join(import.meta.dirname, '../pipeline/set-rules.ts');

interface Load {
  conversations: number;
  spans: number;
  acceptedMs: number;
  /** Until the last conversation's Rules have ended and its Findings can be read, quiet time left out. */
  analysedMs: number;
  used: Usage;
  attributeBytes: number;
  diskBytes: number;
}

/**
 * From span to Finding: conversations are sent through the gateway, and the clock stops when the Rules of the last one
 * have ended. For 1, 5 and 20 Rules, and, with `--fill`, once more onto a store that holds so many times as much;
 * beside them, in the same run, the same conversations assembled and evaluated in memory by one process.
 */
export async function run(args: readonly string[]): Promise<Record<string, unknown>> {
  const values = readOptions(args, {
    conversations: { type: 'string', default: '2883' },
    rules: { type: 'string', default: '1,5,20' },
    fill: { type: 'string', default: '0' },
  });
  const conversations = Number(values.conversations);
  const floor = await measureFloor(createPipelineWorkload(conversations, 'floor'));
  const figures: Record<string, unknown>[] = [];
  for (const rules of values.rules.split(',').map(Number)) {
    await withTemporaryStack(settingsFor(rules), async (stack) => {
      await load(stack, createPipelineWorkload(Math.min(200, conversations), 'warm-up'), rules);
      figures.push(
        figuresOf(`${rules} rules`, await load(stack, createPipelineWorkload(conversations, 'load'), rules)),
      );
      const fill = Number(values.fill);
      if (fill === 0) return;
      for (let part = 1; part < fill; part += 1) {
        await load(stack, createPipelineWorkload(conversations, `fill-${part}`), rules);
      }
      const onto = await load(stack, createPipelineWorkload(conversations, 'second'), rules);
      figures.push(figuresOf(`${rules} rules, ${fill} times fuller`, onto));
    });
  }
  print(figures, floor);
  return { conversations, floorProcessorMs: floor, runs: figures };
}

function settingsFor(rules: number): NodeJS.ProcessEnv {
  return {
    RATE_LIMIT_PER_SECOND: '100000',
    NODE_ENV: 'production',
    CLEW_BENCH_RULES: String(rules),
    NODE_OPTIONS: `--import=${SET_RULES}`,
  };
}

async function load({ stackFile, env }: TemporaryStack, workload: PipelineWorkload, rules: number): Promise<Load> {
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
    const used = usedBetween(before, await usageOf(client, processes));
    used.mongoCommands -= polls * COMMANDS_OF_A_POLL;
    await client.db('admin').command({ fsync: 1 });
    return {
      ...{ conversations: workload.conversationCount, spans: workload.spanCount },
      ...{ acceptedMs, analysedMs, used, attributeBytes: workload.attributeBytes },
      diskBytes: (await diskBytes(client)) - disk,
    };
  } finally {
    await client.close();
  }
}

interface Goal {
  readyConversations: number;
  endedRuns: number;
}

/** What there is already and what is to come. */
async function expectedCounts(client: MongoClient, workload: PipelineWorkload, rules: number): Promise<Goal> {
  const now = await countsOf(client);
  return {
    readyConversations: now.readyConversations + workload.conversationCount,
    endedRuns: now.endedRuns + workload.conversationCount * rules,
  };
}

async function countsOf(client: MongoClient): Promise<Goal> {
  const [conversations, runs] = [
    client.db('clew_telemetry').collection('conversations'),
    client.db('clew_diagnostics').collection('analysis_runs'),
  ];
  return {
    readyConversations: await conversations.countDocuments({ snapshotId: { $ne: null }, dueAt: null }),
    endedRuns: await runs.countDocuments({ finishedAt: { $ne: null } }),
  };
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

/** Documents and indexes of the telemetry, as they lie on disk. */
async function diskBytes(client: MongoClient): Promise<number> {
  const { storageSize, indexSize } = await client.db('clew_telemetry').stats();
  return Number(storageSize) + Number(indexSize);
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
    diskBytesPerSpan: Math.round(measured.diskBytes / spans),
    attributeBytesPerSpan: Math.round(attributeBytes / spans),
  };
}

function print(figures: readonly Record<string, unknown>[], floorMs: number): void {
  printTable(
    ['run', 'conversations/s', 'cpu ms each', 'commands', 'transactions', 'documents', 'disk B a span'],
    figures.map((one) => [
      String(one['name']),
      String(one['conversationsPerSecond']),
      String(one['processorMsEach']),
      String(one['mongoCommandsEach']),
      String(one['transactionsEach']),
      String(one['documentsWrittenEach']),
      `${String(one['diskBytesPerSpan'])} of ${String(one['attributeBytesPerSpan'])}`,
    ]),
  );
  process.stderr.write(`assembled and evaluated in memory: ${round(floorMs, 2)} ms of processor each\n`);
}
