import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Db } from 'mongodb';
import { everyFilter, findingDocuments, type ListedFilter } from '../findings/workload.ts';
import { createClient, type Client } from '../support/client.ts';
import { prepareForm } from '../support/measured-form.ts';
import { readOptions } from '../support/options.ts';
import { openServers } from '../support/servers.ts';
import { startService } from '../support/service-process.ts';
import { percentile, round } from '../support/statistics.ts';
import { printTable } from '../support/table.ts';

const INSERTED_AT_ONCE = 5_000;
const DIAGNOSTICS = {
  app: 'diagnostics-svc',
  scopes: ['diagnostics:read'],
  // No service listens at these addresses: listing Findings does not need them.
  env: {
    MOUNT_RULES: 'false',
    TELEMETRY_WAREHOUSE_URL: 'http://127.0.0.1:9',
    MODEL_RUNTIME_SVC_URL: 'http://127.0.0.1:9',
  },
} as const;

interface Timing extends ListedFilter {
  ms: number;
  found: number;
}

interface Page {
  findings: unknown[];
  pagination: { nextCursor: string | null };
}

/**
 * Measures the list of Findings with every combination of its filters, each absent, matching most or matching few
 * Findings. It reads the first two pages from the service directly, one request at a time.
 */
export async function run(args: readonly string[]): Promise<Record<string, unknown>> {
  const values = readOptions(args, {
    findings: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '3' },
    limit: { type: 'string', default: '100' },
    from: { type: 'string', default: 'dist' },
  });
  const count = Number(values.findings);
  const folder = mkdtempSync(join(tmpdir(), 'clew-bench-'));
  const servers = await openServers();
  const from = await prepareForm(values.from);
  const service = await startService(DIAGNOSTICS, { folder, servers, from });
  const client = createClient(service);
  try {
    await insertFindings(service.database, service.projectId, count);
    const before = await scansOf(service.database);
    const keys = await keysOfEach(service.database, everyFilter(count), (filter) =>
      timePages(client, filter, values.limit),
    );
    const timings: Timing[] = [];
    for (let round_ = 0; round_ < Number(values.rounds); round_ += 1) {
      for (const filter of everyFilter(count)) timings.push(...(await timePages(client, filter, values.limit)));
    }
    const after = await scansOf(service.database);
    return figuresOf(timings, {
      findings: count,
      collectionScans: after.collectionScans - before.collectionScans,
      sortsInMemory: after.sortsInMemory - before.sortsInMemory,
      p95Keys: percentile(keys, 0.95),
      maxKeys: Math.max(...keys),
    });
  } finally {
    await client.close();
    await service.stop();
    await servers.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function insertFindings(database: Db, projectId: string, count: number): Promise<void> {
  const collection = database.collection('findings');
  let batch = [];
  for (const document of findingDocuments(projectId, count)) {
    batch.push(document);
    if (batch.length < INSERTED_AT_ONCE) continue;
    await collection.insertMany(batch, { ordered: false });
    batch = [];
  }
  if (batch.length > 0) await collection.insertMany(batch, { ordered: false });
}

/** Times the first page of a filter, and the second one if it exists. */
async function timePages(client: Client, filter: ListedFilter, limit: string): Promise<Timing[]> {
  const timings: Timing[] = [];
  let cursor: string | null = '';
  while (cursor !== null && timings.length < 2) {
    const after = cursor === '' ? '' : `&cursor=${cursor}`;
    const startedAtMs = performance.now();
    const page: Page = await client.json('GET', `/diagnostics/findings?limit=${limit}&${filter.query}${after}`);
    timings.push({ ...filter, ms: performance.now() - startedAtMs, found: page.findings.length });
    cursor = page.pagination.nextCursor;
  }
  return timings;
}

/**
 * Index keys that the server examines for each filter, which do not depend on the load of the machine; also warms up.
 */
async function keysOfEach(
  database: Db,
  filters: readonly ListedFilter[],
  read: (filter: ListedFilter) => Promise<unknown[]>,
): Promise<number[]> {
  const keys: number[] = [];
  for (const filter of filters) {
    const before = await scansOf(database);
    const pages = await read(filter);
    keys.push(((await scansOf(database)).keys - before.keys) / pages.length);
  }
  return keys;
}

/** Counters of the server so far: collection scans, sorts in memory, and index keys examined. */
async function scansOf(database: Db): Promise<{ collectionScans: number; sortsInMemory: number; keys: number }> {
  const { metrics } = await database.command({ serverStatus: 1, metrics: 1 });
  return {
    collectionScans: Number(metrics.queryExecutor.collectionScans.nonTailable),
    sortsInMemory: Number(metrics.operation.scanAndOrder),
    keys: Number(metrics.queryExecutor.scanned),
  };
}

function figuresOf(timings: readonly Timing[], facts: Record<string, number>): Record<string, unknown> {
  const groups: readonly (readonly [string, (timing: Timing) => boolean])[] = [
    ['all', () => true],
    ['few match (at most 20)', ({ found }) => found <= 20],
    ['with a low score', ({ query }) => query.includes('minDiagnosticScore=0.5')],
    ['with a high score', ({ query }) => query.includes('minDiagnosticScore=0.9999')],
    ['without a score', ({ query }) => !query.includes('minDiagnosticScore')],
  ];
  const rows = groups.map(([name, isOf]) => {
    const ms = timings.filter(isOf).map((timing) => timing.ms);
    return [name, ms.length, ...[0.5, 0.95, 0.99, 1].map((share) => round(percentile(ms, share), 1))] as const;
  });
  printTable(['list', 'requests', 'p50 ms', 'p95 ms', 'p99 ms', 'max ms'], rows);
  const slowest = timings.toSorted((one, other) => other.ms - one.ms).slice(0, 5);
  const [all] = rows;
  return {
    ...facts,
    requests: timings.length,
    p50Ms: all?.[2],
    p95Ms: all?.[3],
    maxMs: all?.[5],
    slowest: slowest.map(({ query, ms, found }) => ({ query, ms: round(ms, 1), found })),
  };
}
