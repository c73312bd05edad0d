// Measures what automatic collection costs: conversations are analysed without a Dataset that collects, and then a
// Dataset that preserves successful behavior looks at all of them. The baseline is the processor time of their way from
// span to Finding, in the same run.
import { setTimeout as sleep } from 'node:timers/promises';
import { snapshotAnalysed, MAX_ANALYSED_SNAPSHOTS } from '@clew/contracts';
import { connectBroker, createPublisher } from '@clew/messaging';
import { createLogger } from '@clew/runtime';
import { withTemporaryStack, type StackFile, type TemporaryStack } from '@clew/stack';
import { MongoClient, type Document } from 'mongodb';
import { peakMemoryMib } from '../ingest/memory.ts';
import { sendAll } from '../ingest/send.ts';
import { createCollecting } from '../pipeline/collecting.ts';
import { createPipelineWorkload } from '../pipeline/workload.ts';
import { readOptions } from '../support/options.ts';
import { round } from '../support/statistics.ts';
import { printTable } from '../support/table.ts';
import { processesOf, usageOf, usedBetween } from '../support/usage.ts';

const SENT_AT_A_TIME = 1_000;
const CONCURRENCY = 4;
const POLL_MS = 250;

export async function run(args: readonly string[]): Promise<Record<string, unknown>> {
  const values = readOptions(args, {
    conversations: { type: 'string', default: '10000' },
    workers: { type: 'string', default: '2' },
  });
  const count = Number(values.conversations);
  const settings = {
    ...{ RATE_LIMIT_PER_SECOND: '100000', NODE_ENV: 'production', CLEW_REPLICAS: `jobs-worker=${values.workers}` },
  };
  let figures: Record<string, unknown> = {};
  await withTemporaryStack(settings, async (stack) => {
    const client = await MongoClient.connect(stack.stackFile.mongoUrl);
    try {
      const analysed = await measured(client, stack, () => analyseAll(client, stack.stackFile, count));
      const collected = await measured(client, stack, () => collectAll(client, stack.stackFile, count));
      figures = { ...collected.figures, analysis: analysed.figures };
    } finally {
      await client.close();
    }
  });
  return { conversations: count, workers: Number(values.workers), ...figures };

  async function measured(client: MongoClient, { env }: TemporaryStack, work: () => Promise<object>) {
    const processes = processesOf(String(env['CLEW_HOME']));
    const before = await usageOf(client, processes);
    const startedAt = performance.now();
    const more = await work();
    const seconds = (performance.now() - startedAt) / 1_000;
    const used = usedBetween(before, await usageOf(client, processes));
    const each = Object.entries(used.processorMs).map(([name, ms]) => [name, round(ms / count, 2)] as const);
    const processorMsEach = round(
      each.reduce((sum, [, ms]) => sum + ms, 0),
      2,
    );
    const service = processes['datasets-svc'];
    const peakMib = service === undefined ? null : peakMemoryMib(service);
    printTable(
      [
        'seconds',
        'cpu ms each',
        'of datasets-svc',
        'of the workers',
        'documents written each',
        'peak MiB of datasets-svc',
      ],
      [
        [
          ...[round(seconds, 1), processorMsEach, sumOf(each, 'datasets-svc'), sumOf(each, 'jobs-worker')],
          ...[round(used.documentsWritten / count, 2), String(peakMib)],
        ],
      ],
    );
    const figures = { seconds: round(seconds, 1), processorMsEach, processorMsEachOf: Object.fromEntries(each) };
    return { figures: { ...figures, peakMib, ...more } };
  }
}

function sumOf(each: readonly (readonly [string, number])[], beginning: string): number {
  const own = each.filter(([name]) => name.startsWith(beginning));
  return round(
    own.reduce((sum, [, ms]) => sum + ms, 0),
    2,
  );
}

/** Sends conversations and waits until all their Rules have ended. */
async function analyseAll(client: MongoClient, { gatewayUrl, apiKey }: StackFile, count: number): Promise<object> {
  const analyses = client.db('clew_diagnostics').collection('analyses');
  const before = await analyses.countDocuments({ endedAt: { $ne: null } });
  for (let sent = 0; sent < count; sent += SENT_AT_A_TIME) {
    const { bodies } = createPipelineWorkload(Math.min(SENT_AT_A_TIME, count - sent), `collected-${sent}`);
    await sendAll({ gatewayUrl, apiKey, bodies, concurrency: CONCURRENCY });
  }
  while ((await analyses.countDocuments({ endedAt: { $ne: null } })) < before + count) await sleep(POLL_MS);
  return {};
}

/** Has a new Dataset told of all analysed conversations, and waits until each is decided on. */
async function collectAll(client: MongoClient, stack: StackFile, count: number): Promise<object> {
  const datasetId = await createCollecting(stack);
  const decisions = client.db('clew_datasets').collection('collection_decisions');
  await tellAll(client, stack);
  while ((await decisions.countDocuments({ datasetId, decidedAt: { $gt: 0 } })) < count) await sleep(POLL_MS);
  const collected = await decisions.countDocuments({ datasetId, outcome: 'collected' });
  return { collected };
}

/** Announces all analysed conversations, as diagnostics-svc does. */
async function tellAll(client: MongoClient, { amqpUrl, projectId }: StackFile): Promise<void> {
  const logger = createLogger({ service: 'bench', version: '0', level: 'error' });
  const broker = await connectBroker({ url: amqpUrl, appName: 'bench', logger });
  const publisher = createPublisher(broker);
  const { type, version } = snapshotAnalysed;
  let part: Document[] = [];
  const tell = async () => {
    if (part.length === 0) return;
    const snapshots = part.map(({ conversationId, snapshotId }) => ({
      ...{ conversationId: String(conversationId), snapshotId: String(snapshotId), analysed: true },
      ...{ score: null, severity: null, findingIds: [], unknownRules: 0 },
    }));
    part = [];
    const id = `${type}:bench:${snapshots[0]?.snapshotId}`;
    await publisher.publish(snapshotAnalysed, {
      ...{ id, type, version, occurredAt: 1, projectId, requestId: null, data: { snapshots } },
    });
  };
  const analyses = client.db('clew_diagnostics').collection('analyses');
  const found = analyses.find({ projectId }, { projection: { conversationId: 1, snapshotId: 1 } });
  for await (const analysis of found) {
    part.push(analysis);
    if (part.length === MAX_ANALYSED_SNAPSHOTS) await tell();
  }
  await tell();
  await publisher.close();
  await broker.close();
}
