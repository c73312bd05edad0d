// Measures how many conversations per second a Knowledge backfill extracts from with models of a given latency, its
// cost for the service and the workers, and the memory of the service after small and large backfills.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { KnowledgeBackfill, LearningGoal, RequestedKnowledgeBackfill } from '@clew/contracts';
import { MODEL_PLACES, SHARES } from '@clew/messaging';
import { createConversations } from '../backfill/conversations.ts';
import { MODEL, startAvailability, startModels, startWarehouse, type Endpoint } from '../backfill/stand-ins.ts';
import { startWorker } from '../backfill/worker-process.ts';
import { peakMemoryMib } from '../ingest/memory.ts';
import type { Child } from '../support/child.ts';
import { createClient, type Client } from '../support/client.ts';
import { prepareForm, type MeasuredForm } from '../support/measured-form.ts';
import { readOptions } from '../support/options.ts';
import { processorMs } from '../support/processor-time.ts';
import { openServers, type Servers } from '../support/servers.ts';
import { startService, type ServiceProcess } from '../support/service-process.ts';
import { round } from '../support/statistics.ts';
import { printTable } from '../support/table.ts';

interface Bench {
  folder: string;
  servers: Servers;
  service: ServiceProcess;
  client: Client;
  warehouse: Endpoint;
  from: MeasuredForm;
  seconds: number;
  latencyMs: number;
}

const MESSAGES = 12;
const POLL_MS = 50;
/** Concurrent calls of one worker for one project. */
const CALLS_IN_FLIGHT = MODEL_PLACES / SHARES;
const WORKERS_FOR_MEMORY = 2;

export async function run(args: readonly string[]): Promise<Record<string, unknown>> {
  const values = readOptions(args, {
    workers: { type: 'string', default: '1,2,4' },
    seconds: { type: 'string', default: '20' },
    'latency-ms': { type: 'string', default: '1000' },
    /**
     * Sizes of the backfills, in conversations, after which memory is measured, with models that answer at once; empty:
     * none.
     */
    memory: { type: 'string', default: '1000,10000' },
    /** `dist` runs the build output, `src` the sources. */
    from: { type: 'string', default: 'dist' },
  });
  const numbers = (list: string) => list.split(',').filter(Boolean).map(Number);
  const folder = mkdtempSync(join(tmpdir(), 'clew-bench-backfill-'));
  const servers = await openServers();
  const [warehouse, availability] = [await startWarehouse(createConversations(MESSAGES)), await startAvailability()];
  const from = await prepareForm(values.from);
  const env = { TELEMETRY_WAREHOUSE_URL: warehouse.url, MODEL_RUNTIME_SVC_URL: availability.url };
  const knowledge = { app: 'knowledge-svc' as const, scopes: ['workspace:read', 'workspace:write'] as const, env };
  const service = await startService(knowledge, { folder, servers, from });
  const client = createClient(service);
  const [seconds, latencyMs] = [Number(values.seconds), Number(values['latency-ms'])];
  const bench: Bench = { folder, servers, service, client, warehouse, from, seconds, latencyMs };
  try {
    const memory = [];
    for (const count of numbers(values.memory)) memory.push(await memoryAfter(bench, count));
    const measured = [];
    for (const count of numbers(values.workers)) measured.push(await measure(bench, count));
    printTable(
      ['conversations', 'peak MiB of the service', 'conversations/s', 'processor ms each'],
      memory.map((each) => [each.conversations, each.peakMib, each.perSecond, each.processorMs]),
    );
    printTable(
      ['workers', 'conversations/s', 'of what latency allows', 'worker ms each', 'service ms each', 'items'],
      measured.map((each) => [each.workers, each.perSecond, each.share, each.workerMs, each.serviceMs, each.items]),
    );
    return { latencyMs, messages: MESSAGES, callsInFlight: CALLS_IN_FLIGHT, measured, memory };
  } finally {
    await client.close();
    await service.stop();
    await Promise.all([warehouse.stop(), availability.stop()]);
    await servers.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Measures new workers for each count, after a warm-up backfill. */
async function measure(bench: Bench, count: number) {
  const { service, seconds, latencyMs } = bench;
  return await withWorkers(bench, count, latencyMs, async (workers) => {
    const inFlight = count * CALLS_IN_FLIGHT;
    await backfill(bench, inFlight * 2);
    const [workersBefore, serviceBefore] = [usedBy(workers), usedBy([service])];
    const conversations = Math.ceil((inFlight * seconds * 1_000) / latencyMs);
    const { took, items } = await backfill(bench, conversations);
    const [perSecond, allowed] = [conversations / took, (inFlight * 1_000) / latencyMs];
    return {
      ...{ workers: count, conversations, perSecond: round(perSecond), share: round(perSecond / allowed, 3) },
      workerMs: round((usedBy(workers) - workersBefore) / conversations, 1),
      ...{ serviceMs: round((usedBy([service]) - serviceBefore) / conversations, 1), items },
    };
  });
}

async function memoryAfter(bench: Bench, conversations: number) {
  return await withWorkers(bench, WORKERS_FOR_MEMORY, 0, async (workers) => {
    const processes = [bench.service, ...workers];
    const before = usedBy(processes);
    const { took, items } = await backfill(bench, conversations);
    const each = (usedBy(processes) - before) / conversations;
    const peakMib = peakMemoryMib(bench.service.pid);
    return { conversations, peakMib, perSecond: round(conversations / took), processorMs: round(each, 1), items };
  });
}

async function withWorkers<Result>(
  { folder, servers, service, from, warehouse }: Bench,
  count: number,
  latencyMs: number,
  work: (workers: readonly Child[]) => Promise<Result>,
): Promise<Result> {
  const models = await startModels(latencyMs);
  const workers: Child[] = [];
  try {
    for (let index = 0; index < count; index += 1) {
      const addresses = { warehouseUrl: warehouse.url, modelRuntimeUrl: models.url, knowledgeUrl: service.url };
      workers.push(await startWorker({ folder, name: `worker-${index}`, servers, from, ...addresses }));
    }
    return await work(workers);
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()));
    await models.stop();
  }
}

/** Runs a backfill of `conversations` conversations for a new goal. */
async function backfill({ client }: Bench, conversations: number) {
  const body = { name: 'A backfill', instruction: 'Learn what the office wants', model: MODEL };
  const goal = await client.json<LearningGoal>('POST', '/knowledge/goals', body);
  const path = `/knowledge/goals/${goal.id}/backfills`;
  const window = { startMs: 1, endMs: conversations, maxConversations: conversations };
  const startedAt = performance.now();
  const { backfillId } = await client.json<RequestedKnowledgeBackfill>('POST', path, window);
  for (;;) {
    const { endedAt, itemsCreated, ...rest } = await client.json<KnowledgeBackfill>('GET', `${path}/${backfillId}`);
    const isWhole = rest.conversationsSeen === conversations && rest.conversationsFailed === 0;
    if (endedAt !== null && !isWhole) throw new Error(`A backfill ended early: ${JSON.stringify(rest)}`);
    if (endedAt !== null) return { took: (performance.now() - startedAt) / 1_000, items: itemsCreated };
    await sleep(POLL_MS);
  }
}

function usedBy(processes: readonly Pick<Child, 'pid'>[]): number {
  return processes.reduce((sum, { pid }) => sum + (processorMs(pid) ?? 0), 0);
}
