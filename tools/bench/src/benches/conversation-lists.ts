import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { conversationDocuments, figureDocuments, LIST_QUERIES, SERIES_QUERIES } from '../conversations/workload.ts';
import { runScript } from '../support/child.ts';
import { createClient } from '../support/client.ts';
import { prepareForm } from '../support/measured-form.ts';
import { readOptions } from '../support/options.ts';
import { openServers } from '../support/servers.ts';
import { startService } from '../support/service-process.ts';
import { printTable } from '../support/table.ts';
import { createTimedRequests, percentileOf, processorTimeOf, type Timing } from '../support/timed-requests.ts';

const INSERTED_AT_ONCE = 5_000;
const PACK_DAYS = join(import.meta.dirname, '../../../../apps/telemetry-warehouse/bench/pack-days.ts');
const NOBODY = 'http://127.0.0.1:9';
const WAREHOUSE = {
  app: 'telemetry-warehouse',
  scopes: ['workspace:read'],
  // No service listens at these addresses: reads do not need them.
  env: { DIAGNOSTICS_SVC_URL: NOBODY, DATASETS_SVC_URL: NOBODY, KNOWLEDGE_SVC_URL: NOBODY },
} as const;

/**
 * Measures lists, counts and series of conversations, which are inserted as documents. Requests go to the service
 * directly, one at a time.
 */
export async function run(args: readonly string[]): Promise<Record<string, unknown>> {
  const values = readOptions(args, {
    conversations: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '10' },
    limit: { type: 'string', default: '50' },
    from: { type: 'string', default: 'dist' },
  });
  const count = Number(values.conversations);
  const folder = mkdtempSync(join(tmpdir(), 'clew-bench-'));
  const servers = await openServers();
  const from = await prepareForm(values.from);
  const service = await startService(WAREHOUSE, { folder, servers, from });
  const client = createClient(service);
  try {
    const { database, projectId } = service;
    await insertAll(database.collection('conversations'), conversationDocuments(projectId, count));
    const { days, hours } = figureDocuments(projectId, count);
    await insertAll(database.collection('conversation_days'), days);
    await insertAll(database.collection('conversation_hours'), hours);
    await runScript(PACK_DAYS, { args: [servers.mongoUrl, database.databaseName] });
    const rounds = Number(values.rounds);
    const timed = createTimedRequests(client, { service: service.pid, mongod: servers.mongodPid });
    const list = (query: string) => `/conversations?limit=${values.limit}&${query}`;
    const counts = (query: string) => `/conversations/counts?by=state,hasError,hasFinding&${query}`;
    const series = (query: string) => `/conversations/series?${query}`;
    return figuresOf(count, {
      lists: await measure(timed, LIST_QUERIES.map(list), rounds),
      counts: await measure(timed, LIST_QUERIES.map(counts), rounds),
      series: await measure(timed, SERIES_QUERIES.map(series), rounds),
    });
  } finally {
    await client.close();
    await service.stop();
    await servers.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Collection {
  insertMany(documents: never[], options: { ordered: boolean }): Promise<unknown>;
}

async function insertAll(collection: Collection, documents: Iterable<object>): Promise<void> {
  let batch: object[] = [];
  for (const document of documents) {
    batch.push(document);
    if (batch.length < INSERTED_AT_ONCE) continue;
    await collection.insertMany(batch as never[], { ordered: false });
    batch = [];
  }
  if (batch.length > 0) await collection.insertMany(batch as never[], { ordered: false });
}

async function measure(
  timed: ReturnType<typeof createTimedRequests>,
  paths: readonly string[],
  rounds: number,
): Promise<Timing[]> {
  const timings: Timing[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    for (const path of paths) {
      const { timing } = await timed(path);
      // The first round warms up.
      if (round > 0) timings.push(timing);
    }
  }
  return timings;
}

function figuresOf(conversations: number, measured: Record<string, Timing[]>): Record<string, unknown> {
  const rows = Object.entries(measured).flatMap(([name, timings]) =>
    [...Map.groupBy(timings, ({ path }) => path)].map(([path, some]) => {
      const { serviceMs, mongodMs } = processorTimeOf(some);
      return [name, path, ...[percentileOf(some, 0.95), serviceMs, mongodMs].map(String)];
    }),
  );
  printTable(['what', 'request', 'p95 ms', 'service cpu ms', 'mongod cpu ms'], rows);
  const figures = Object.entries(measured).flatMap(([name, timings]) => {
    const { serviceMs, mongodMs } = processorTimeOf(timings);
    return [
      [`${name}P95Ms`, percentileOf(timings, 0.95)],
      [`${name}ServiceMs`, serviceMs],
      [`${name}MongodMs`, mongodMs],
    ] as const;
  });
  return { conversations, ...Object.fromEntries(figures) };
}
