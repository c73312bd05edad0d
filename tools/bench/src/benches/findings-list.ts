import { insertAll, scansOf, withDiagnostics, type BenchedService } from '../findings/bench-project.ts';
import { COUNT_QUERIES, listedDocuments, listQueries, seriesDocuments, seriesQueries } from '../findings/listed.ts';
import { readOptions } from '../support/options.ts';
import { percentile, round } from '../support/statistics.ts';
import { printTable } from '../support/table.ts';
import { createTimedRequests, percentileOf, processorTimeOf, type Timing } from '../support/timed-requests.ts';

const LIST_P95_MS = 20;
const COUNTS_AND_SERIES_P95_MS = 50;

/**
 * Measures what a page about Findings reads: lists with every filter in every order, the first two pages; counts; and
 * series over a hundred days. One request at a time, from the service directly.
 */
export async function run(args: readonly string[]): Promise<Record<string, unknown>> {
  const values = readOptions(args, {
    findings: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '3' },
    /** As many as the Workbench reads at a time. */
    limit: { type: 'string', default: '50' },
    from: { type: 'string', default: 'dist' },
  });
  const count = Number(values.findings);
  return withDiagnostics(values.from, async (service) => {
    const { database, projectId } = service;
    await insertAll(database, 'findings', listedDocuments(projectId, count));
    await insertAll(database, 'finding_series', seriesDocuments(projectId));
    const lists = listQueries(count).map((query) => `findings?limit=${values.limit}&${query}`);
    const counts = COUNT_QUERIES.map((query) => `findings/counts?${query}`);
    const series = seriesQueries().map((query) => `findings/series?${query}`);
    await timed(service, [...lists, ...counts, ...series], 1);
    const keys = await keysOfEach(service, lists);
    const before = await scansOf(database);
    const rounds = Number(values.rounds);
    const measured = {
      lists: await timed(service, lists, rounds),
      counts: await timed(service, counts, rounds),
      series: await timed(service, series, rounds),
    };
    const after = await scansOf(database);
    return figuresOf(measured, {
      findings: count,
      collectionScans: after.collectionScans - before.collectionScans,
      sortsInMemory: after.sortsInMemory - before.sortsInMemory,
      ...{ p95Keys: percentile(keys, 0.95), maxKeys: Math.max(...keys) },
    });
  });
}

/** Index keys that the server examines for the first page of each list, which do not depend on the machine's load. */
async function keysOfEach({ client, database }: BenchedService, paths: readonly string[]): Promise<number[]> {
  const keys: number[] = [];
  for (const path of paths) {
    const before = await scansOf(database);
    await client.json('GET', `/diagnostics/${path}`);
    keys.push((await scansOf(database)).keys - before.keys);
  }
  return keys;
}

/** Times each query; of a list also the second page. */
async function timed({ client, processes }: BenchedService, paths: readonly string[], rounds: number) {
  const timings: Timing[] = [];
  const request = createTimedRequests(client, processes);
  const read = async (path: string) => {
    const { timing, body } = await request<{ pagination?: { nextCursor: string | null } }>(`/diagnostics/${path}`);
    timings.push(timing);
    return body.pagination?.nextCursor ?? null;
  };
  for (let number = 0; number < rounds; number += 1) {
    for (const path of paths) {
      const cursor = await read(path);
      if (cursor !== null) await read(`${path}&cursor=${cursor}`);
    }
  }
  return timings;
}

function figuresOf(
  measured: Readonly<Record<'lists' | 'counts' | 'series', readonly Timing[]>>,
  facts: Record<string, number>,
): Record<string, unknown> {
  const rows = Object.entries(measured).map(([name, timings]) => {
    const { serviceMs, mongodMs } = processorTimeOf(timings);
    const [p50, p95, p99, max] = [0.5, 0.95, 0.99, 1].map((share) => percentileOf(timings, share));
    return { name, requests: timings.length, p50, p95, p99, max, serviceMs, mongodMs };
  });
  printTable(
    ['what', 'requests', 'p50 ms', 'p95 ms', 'p99 ms', 'max ms', 'service cpu ms', 'mongod cpu ms'],
    rows.map((row) => Object.values(row).map(String)),
  );
  const figures = Object.fromEntries(
    rows.flatMap(({ name, p95, serviceMs, mongodMs }) => [
      [`${name}P95Ms`, p95],
      [`${name}ServiceMs`, serviceMs],
      [`${name}MongodMs`, mongodMs],
    ]),
  );
  const slowest = [...measured.lists, ...measured.counts].toSorted((one, other) => other.ms - one.ms).slice(0, 8);
  const isMet =
    Number(figures['listsP95Ms']) <= LIST_P95_MS &&
    Number(figures['countsP95Ms']) <= COUNTS_AND_SERIES_P95_MS &&
    Number(figures['seriesP95Ms']) <= COUNTS_AND_SERIES_P95_MS;
  const told = slowest.map(({ path, ms }) => ({ query: path.split('&cursor=')[0], ms: round(ms, 1) }));
  return { ...facts, ...figures, isMet, slowest: told };
}
