// Measures what a review costs in processor time of diagnostics-svc and jobs-worker, with a model that answers at once:
// the same results of Rules are taken once without reviews, and once with a review of each conversation.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { analysisCompleted, type ReviewMode } from '@clew/contracts';
import { connectBroker, createPublisher } from '@clew/messaging';
import { BUILT_IN_RULES } from '@clew/rules';
import { createLogger } from '@clew/runtime';
import { createConversations } from '../backfill/conversations.ts';
import { MODEL, startAvailability, startWarehouse } from '../backfill/stand-ins.ts';
import { startWorker } from '../backfill/worker-process.ts';
import { startReviewer } from '../reviews/reviewer.ts';
import type { Child } from '../support/child.ts';
import { createClient, type Client } from '../support/client.ts';
import { prepareForm } from '../support/measured-form.ts';
import { readOptions } from '../support/options.ts';
import { processorMs } from '../support/processor-time.ts';
import { openServers, type Servers } from '../support/servers.ts';
import { startService, type ServiceProcess } from '../support/service-process.ts';
import { round } from '../support/statistics.ts';
import { printTable } from '../support/table.ts';

interface Bench {
  servers: Servers;
  service: ServiceProcess;
  worker: Child;
  client: Client;
  /** Conversations so far: each run has others. */
  used: number;
}

const MESSAGES = 12;
const POLL_MS = 20;
const WARM_UP = 200;

export async function run(args: readonly string[]): Promise<Record<string, unknown>> {
  const values = readOptions(args, {
    conversations: { type: 'string', default: '2000' },
    rounds: { type: 'string', default: '3' },
    from: { type: 'string', default: 'dist' },
  });
  const count = Number(values.conversations);
  const folder = mkdtempSync(join(tmpdir(), 'clew-bench-reviews-'));
  const servers = await openServers();
  const [warehouse, availability, models] = await Promise.all([
    startWarehouse(createConversations(MESSAGES)),
    startAvailability(),
    startReviewer(),
  ]);
  const from = await prepareForm(values.from);
  const env = { TELEMETRY_WAREHOUSE_URL: warehouse.url, MODEL_RUNTIME_SVC_URL: availability.url };
  const diagnostics = { app: 'diagnostics-svc' as const, scopes: ['diagnostics:read', 'diagnostics:write'] as const };
  const service = await startService({ ...diagnostics, env }, { folder, servers, from });
  const addresses = { warehouseUrl: warehouse.url, modelRuntimeUrl: models.url, knowledgeUrl: service.url };
  const worker = await startWorker({ folder, name: 'worker', servers, from, ...addresses });
  const bench: Bench = { servers, service, worker, client: createClient(service), used: 0 };
  try {
    for (const mode of ['off', 'all'] as const) await measure(bench, mode, WARM_UP);
    const rounds = [];
    for (let index = 0; index < Number(values.rounds); index += 1) {
      const without = await measure(bench, 'off', count);
      const withReviews = await measure(bench, 'all', count);
      rounds.push({
        serviceMs: round(withReviews.serviceMs - without.serviceMs, 2),
        workerMs: round(withReviews.workerMs - without.workerMs, 2),
        baselineMs: round(without.serviceMs, 2),
        perSecond: round(withReviews.perSecond),
      });
    }
    printTable(
      ['service ms a review', 'worker ms a review', 'service ms without', 'reviews/s'],
      rounds.map((each) => [each.serviceMs, each.workerMs, each.baselineMs, each.perSecond]),
    );
    return { conversations: count, messages: MESSAGES, rounds };
  } finally {
    await bench.client.close();
    await Promise.all([service.stop(), worker.stop()]);
    await Promise.all([warehouse.stop(), availability.stop(), models.stop()]);
    await servers.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Takes the results of Rules on new conversations, and waits until they are stored, and read if they are to be. */
async function measure(bench: Bench, reviewMode: ReviewMode, count: number) {
  const { client, service, worker } = bench;
  await client.json('PATCH', '/diagnostics/settings', { reviewMode, reviewModel: MODEL, dailyReviews: 1_000_000 });
  const database = service.database;
  const doneBefore = await database.collection('reviews').countDocuments({ state: 'done' });
  const analysedBefore = await database.collection('analyses').countDocuments({});
  const [serviceBefore, workerBefore] = [processorMs(service.pid) ?? 0, processorMs(worker.pid) ?? 0];
  const startedAt = performance.now();
  await publishResults(bench, count);
  for (;;) {
    const analysed = (await database.collection('analyses').countDocuments({})) - analysedBefore;
    const done = (await database.collection('reviews').countDocuments({ state: 'done' })) - doneBefore;
    if (analysed >= count && (reviewMode === 'off' || done >= count)) break;
    await sleep(POLL_MS);
  }
  return {
    perSecond: (count * 1_000) / (performance.now() - startedAt),
    serviceMs: ((processorMs(service.pid) ?? 0) - serviceBefore) / count,
    workerMs: ((processorMs(worker.pid) ?? 0) - workerBefore) / count,
  };
}

const PER_MESSAGE = 50;

async function publishResults(bench: Bench, count: number): Promise<void> {
  const logger = createLogger({ service: 'bench', version: '0', level: 'error' });
  const broker = await connectBroker({ url: bench.servers.amqpUrl, appName: 'bench', logger });
  const publisher = createPublisher(broker);
  const { type, version } = analysisCompleted;
  const rules = BUILT_IN_RULES.map(({ ruleId }) => ({ ruleId }));
  for (let sent = 0; sent < count; sent += PER_MESSAGE) {
    const numbers = Array.from({ length: Math.min(PER_MESSAGE, count - sent) }, () => (bench.used += 1));
    const conversations = numbers.map((number) => ({
      ...{ conversationId: `chat ${number}`, snapshotId: `cesr_${String(number).padStart(26, '0')}` },
      snapshot: { revision: 1, scope: 'conversation' as const, startedAt: number, throughMs: number },
      diagnosis: { score: 0.5, suspects: [] },
    }));
    const { projectId } = bench.service;
    const of = { type, version, occurredAt: 1, projectId, requestId: null };
    await publisher.publish(analysisCompleted, { id: `${type}:${numbers[0]}`, ...of, data: { rules, conversations } });
  }
  await publisher.close();
  await broker.close();
}
