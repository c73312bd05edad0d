import { createReadStream, createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createClient, type Client } from '../support/client.ts';
import { prepareForm } from '../support/measured-form.ts';
import { startDatasets } from '../datasets/start-datasets.ts';
import { exampleAt, importLines } from '../datasets/examples.ts';
import { profiled } from '../datasets/profile.ts';
import { insertRaw } from '../datasets/raw-inserts.ts';
import { peakMemoryMib } from '../ingest/memory.ts';
import { readOptions } from '../support/options.ts';
import { processorMs } from '../support/processor-time.ts';
import { openServers } from '../support/servers.ts';
import type { ServiceProcess } from '../support/service-process.ts';
import { median, percentile, round } from '../support/statistics.ts';
import { printTable } from '../support/table.ts';

const CONCURRENCY = 64;
const PAGE_SIZE = 1_000;
const PAGE_ROUNDS = 30;
/** Measured parts, in this order; export and pages need the import. */
const PARTS = ['import', 'create', 'export', 'pages'] as const;

interface Bench {
  folder: string;
  service: ServiceProcess;
  client: Client;
}

/**
 * Measures import, single creates on one Dataset, the first and last page of a large Dataset, and export. Requests go
 * to the service directly, without the gateway.
 */
export async function run(args: readonly string[]): Promise<Record<string, unknown>> {
  const values = readOptions(args, {
    import: { type: 'string', default: '100000' },
    creates: { type: 'string', default: '6000' },
    examples: { type: 'string', default: '1000000' },
    only: { type: 'string', default: PARTS.join(',') },
    from: { type: 'string', default: 'dist' },
  });
  const folder = mkdtempSync(join(tmpdir(), 'clew-bench-'));
  const servers = await openServers();
  const from = await prepareForm(values.from);
  const service = await startDatasets({ folder, servers, from });
  const client = createClient(service);
  const bench = { folder, service, client };
  try {
    const path = await newDataset(bench);
    const wants = (part: (typeof PARTS)[number]) => values.only.split(',').includes(part);
    const count = values.only === 'create' ? 0 : Number(values.import);
    const figures = {
      ...(count > 0 ? { import: await measureImport(bench, path, count) } : {}),
      ...(wants('create') ? { create: await measureCreates(bench, Number(values.creates)) } : {}),
      ...(wants('export') ? { export: await measureExport(bench, path) } : {}),
      ...(wants('pages') ? { pages: await measurePages(bench, { path, count }, Number(values.examples)) } : {}),
    };
    printFigures(figures);
    return figures;
  } finally {
    await client.close();
    await service.stop();
    await servers.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function newDataset({ client }: Bench): Promise<string> {
  const body = { name: 'bench', schema: { type: 'chat', version: 1 } };
  return `/datasets/${(await client.json<{ id: string }>('POST', '/datasets', body)).id}`;
}

/** Writes the file first, so that only its import is measured. */
async function importInto({ client, folder }: Bench, path: string, count: number, firstIndex: number): Promise<number> {
  const file = join(folder, 'import.jsonl');
  await pipeline(Readable.from(importLines(count, firstIndex)), createWriteStream(file));
  const startedAtMs = performance.now();
  const { imported } = await client.stream<{ imported: number }>(
    `${path}/imports?format=jsonl`,
    createReadStream(file, { highWaterMark: 256 * 1024 }),
  );
  if (imported !== count) throw new Error(`${imported} of ${count} Examples were imported`);
  return performance.now() - startedAtMs;
}

async function measureImport(bench: Bench, path: string, count: number) {
  const idleMib = peakMemoryMib(bench.service.pid);
  const processorBeforeMs = processorMs(bench.service.pid) ?? 0;
  const elapsedMs = await importInto(bench, path, count, 0);
  const processorSeconds = round(((processorMs(bench.service.pid) ?? 0) - processorBeforeMs) / 1000);
  const raw = await insertRaw(bench.service.database);
  return {
    examples: count,
    seconds: round(elapsedMs / 1000),
    perSecond: Math.round((count / elapsedMs) * 1000),
    rawSeconds: round(raw.elapsedMs / 1000),
    rawRatio: round(raw.elapsedMs / elapsedMs, 3),
    processorSeconds,
    idleMib,
    peakMib: peakMemoryMib(bench.service.pid),
  };
}

/** Measures single creates on one Dataset, sent as fast as they are answered. */
async function measureCreates(bench: Bench, count: number) {
  const path = await newDataset(bench);
  const processorBeforeMs = processorMs(bench.service.pid) ?? 0;
  const latenciesMs: number[] = [];
  let next = 0;
  const startedAtMs = performance.now();
  const worker = async () => {
    while (next < count) {
      const example = exampleAt(next++);
      const sentAtMs = performance.now();
      await bench.client.json('POST', `${path}/examples`, example);
      latenciesMs.push(performance.now() - sentAtMs);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  const elapsedMs = performance.now() - startedAtMs;
  const { exampleCount } = await bench.client.json<{ exampleCount: number }>('GET', path);
  if (exampleCount !== count) throw new Error(`${exampleCount} of ${count} Examples were counted`);
  return {
    creates: count,
    concurrency: CONCURRENCY,
    perSecond: Math.round((count / elapsedMs) * 1000),
    processorMsEach: round(((processorMs(bench.service.pid) ?? 0) - processorBeforeMs) / count),
    p50Ms: round(percentile(latenciesMs, 0.5)),
    p99Ms: round(percentile(latenciesMs, 0.99)),
  };
}

async function measureExport({ service, client }: Bench, path: string) {
  const before = peakMemoryMib(service.pid);
  const processorBeforeMs = processorMs(service.pid) ?? 0;
  const startedAtMs = performance.now();
  const bytes = await client.drain(`${path}/export?format=jsonl`);
  const seconds = (performance.now() - startedAtMs) / 1000;
  return {
    megabytes: round(bytes / 1e6),
    megabytesPerSecond: round(bytes / 1e6 / seconds),
    processorSeconds: round(((processorMs(service.pid) ?? 0) - processorBeforeMs) / 1000),
    peakMibBefore: before,
    peakMib: peakMemoryMib(service.pid),
  };
}

interface ListPage {
  examples: unknown[];
  nextCursor: string | null;
}

/** Compares the first with the last page of a Dataset that is filled up to `total` Examples. */
async function measurePages(bench: Bench, { path, count }: { path: string; count: number }, total: number) {
  for (let index = count; index < total; index += 100_000) {
    await importInto(bench, path, Math.min(100_000, total - index), index);
  }
  const listPath = (cursor: string | null) =>
    `${path}/examples?limit=${PAGE_SIZE}${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`;
  const read = (cursor: string | null) => bench.client.json<ListPage>('GET', listPath(cursor));
  const lastPage = Math.ceil(total / PAGE_SIZE);
  let cursor: string | null = null;
  for (let page = 1; page < lastPage; page += 1) cursor = (await read(cursor)).nextCursor;
  const timed = async (at: string | null) => {
    const startedAtMs = performance.now();
    await read(at);
    return performance.now() - startedAtMs;
  };
  const firstMs: number[] = [];
  const lastMs: number[] = [];
  for (let index = 0; index < PAGE_ROUNDS; index += 1) {
    firstMs.push(await timed(null));
    lastMs.push(await timed(cursor));
  }
  const [first] = await profiled(bench.service.database, 'examples', () => read(null));
  const [last] = await profiled(bench.service.database, 'examples', () => read(cursor));
  return {
    examples: total,
    page: lastPage,
    firstPageMs: round(median(firstMs)),
    lastPageMs: round(median(lastMs)),
    ratio: round(median(lastMs) / median(firstMs), 3),
    explain: { first, last },
  };
}

interface Figures {
  import?: { examples: number; seconds: number; rawSeconds: number; rawRatio: number; peakMib: number };
  create?: { perSecond: number; p50Ms: number; p99Ms: number };
  export?: { megabytesPerSecond: number; peakMib: number };
  pages?: { page: number; firstPageMs: number; lastPageMs: number; ratio: number };
}

function printFigures({ import: imported, create, export: exported, pages }: Figures): void {
  const rows: (string | number)[][] = [];
  if (imported !== undefined) {
    rows.push([`import of ${imported.examples} Examples, s`, imported.seconds, '< 15']);
    rows.push(['the same documents inserted raw, s', imported.rawSeconds, '']);
    rows.push(['ratio of the two', imported.rawRatio, '']);
    rows.push(['peak memory of the import, MiB', imported.peakMib, '< 200']);
  }
  if (create !== undefined) {
    rows.push(['single creates on one Dataset, 1/s', create.perSecond, '>= 300']);
    rows.push(['p50, p99 of a single create, ms', `${create.p50Ms}, ${create.p99Ms}`, '']);
  }
  if (exported !== undefined) {
    rows.push(['export, MB/s', exported.megabytesPerSecond, '>= 20']);
    rows.push(['peak memory after the export, MiB', exported.peakMib, '']);
  }
  if (pages !== undefined) {
    rows.push([`page 1, page ${pages.page}, ms`, `${pages.firstPageMs}, ${pages.lastPageMs}`, '']);
    rows.push(['ratio of the two', pages.ratio, '<= 1.2']);
  }
  printTable(['datasets-svc', 'figure', 'aim'], rows);
}
