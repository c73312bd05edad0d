import type { Db } from 'mongodb';
import { insertAll, scansOf, withDiagnostics } from '../findings/bench-project.ts';
import { everyFilter, findingDocuments, type ListedFilter } from '../findings/workload.ts';
import type { Client } from '../support/client.ts';
import { readOptions } from '../support/options.ts';
import { percentile, round } from '../support/statistics.ts';
import { printTable } from '../support/table.ts';

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
  return withDiagnostics(values.from, async ({ client, database, projectId }) => {
    await insertAll(database, 'findings', findingDocuments(projectId, count));
    const before = await scansOf(database);
    const keys = await keysOfEach(database, everyFilter(count), (filter) => timePages(client, filter, values.limit));
    const timings: Timing[] = [];
    for (let round_ = 0; round_ < Number(values.rounds); round_ += 1) {
      for (const filter of everyFilter(count)) timings.push(...(await timePages(client, filter, values.limit)));
    }
    const after = await scansOf(database);
    return figuresOf(timings, {
      findings: count,
      collectionScans: after.collectionScans - before.collectionScans,
      sortsInMemory: after.sortsInMemory - before.sortsInMemory,
      p95Keys: percentile(keys, 0.95),
      maxKeys: Math.max(...keys),
    });
  });
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
