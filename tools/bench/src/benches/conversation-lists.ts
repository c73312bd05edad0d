import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { conversationDocuments, figureDocuments, LIST_QUERIES, SERIES_QUERIES } from '../conversations/workload.ts';
import { createClient, type Client } from '../support/client.ts';
import { prepareForm } from '../support/measured-form.ts';
import { readOptions } from '../support/options.ts';
import { openServers } from '../support/servers.ts';
import { startService } from '../support/service-process.ts';
import { percentile, round } from '../support/statistics.ts';
import { printTable } from '../support/table.ts';

const INSERTED_AT_ONCE = 5_000;
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
    const rounds = Number(values.rounds);
    const list = (query: string) => `/conversations?limit=${values.limit}&${query}`;
    const counts = (query: string) => `/conversations/counts?by=state,hasError,hasFinding&${query}`;
    const series = (query: string) => `/conversations/series?${query}`;
    return figuresOf(count, {
      lists: await measure(client, LIST_QUERIES.map(list), rounds),
      counts: await measure(client, LIST_QUERIES.map(counts), rounds),
      series: await measure(client, SERIES_QUERIES.map(series), rounds),
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

interface Timing {
  path: string;
  ms: number;
}

async function measure(client: Client, paths: readonly string[], rounds: number): Promise<Timing[]> {
  const timings: Timing[] = [];
  for (let round_ = 0; round_ <= rounds; round_ += 1) {
    for (const path of paths) {
      const begunAt = performance.now();
      await client.json('GET', path);
      // The first round warms up.
      if (round_ > 0) timings.push({ path, ms: performance.now() - begunAt });
    }
  }
  return timings;
}

function figuresOf(conversations: number, measured: Record<string, Timing[]>): Record<string, unknown> {
  const rows = Object.entries(measured).flatMap(([name, timings]) =>
    [...Map.groupBy(timings, ({ path }) => path)].map(([path, some]) => ({ name, path, p95: p95Of(some) })),
  );
  printTable(
    ['what', 'request', 'p95 ms'],
    rows.map(({ name, path, p95 }) => [name, path, String(p95)]),
  );
  const p95 = Object.fromEntries(Object.entries(measured).map(([name, timings]) => [`${name}P95Ms`, p95Of(timings)]));
  return { conversations, ...p95 };
}

function p95Of(timings: readonly Timing[]): number {
  return round(
    percentile(
      timings.map(({ ms }) => ms),
      0.95,
    ),
  );
}
