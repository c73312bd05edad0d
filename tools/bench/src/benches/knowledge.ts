// Measures the ranked search of Knowledge among many items, by words alone and fused with their meaning, beside the plain
// list in the same run; and the memory of the service while people write items.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LearningGoal, SearchedKnowledge } from '@clew/contracts';
import type { Db, Document } from 'mongodb';
import { peakMemoryMib } from '../ingest/memory.ts';
import { startEmbedder } from '../knowledge/embedder.ts';
import { itemDocuments, questions } from '../knowledge/workload.ts';
import { createClient, type Client } from '../support/client.ts';
import { prepareForm } from '../support/measured-form.ts';
import { readOptions } from '../support/options.ts';
import { processorMs } from '../support/processor-time.ts';
import { openServers } from '../support/servers.ts';
import { startService, type ServiceProcess } from '../support/service-process.ts';
import { percentile, round } from '../support/statistics.ts';
import { printTable } from '../support/table.ts';

const INSERTED_AT_ONCE = 2_000;
const WRITERS = 8;
/** Time after which the service asks again for a model that embeds. */
const FORGETS_AFTER_MS = 11_000;
const LIST = '/knowledge/items?limit=10';

interface Measured {
  service: ServiceProcess;
  client: Client;
}

/** Times of one kind of call. */
interface Timed {
  ms: number[];
  /** Processor time of the service for each call. */
  processorMs: number;
}

export async function run(args: readonly string[]): Promise<Record<string, unknown>> {
  const values = readOptions(args, {
    items: { type: 'string', default: '100000' },
    questions: { type: 'string', default: '200' },
    written: { type: 'string', default: '10000' },
    from: { type: 'string', default: 'dist' },
  });
  const folder = mkdtempSync(join(tmpdir(), 'clew-bench-'));
  const [servers, embedder, from] = [await openServers(), await startEmbedder(), await prepareForm(values.from)];
  const env = { TELEMETRY_WAREHOUSE_URL: 'http://127.0.0.1:9', MODEL_RUNTIME_SVC_URL: embedder.url };
  const knowledge = { app: 'knowledge-svc', scopes: ['workspace:read', 'workspace:write'], env } as const;
  const service = await startService(knowledge, { folder, servers, from });
  const client = createClient(service);
  try {
    const body = { name: 'Facts', instruction: 'Learn facts' };
    const { id: goalId } = await client.json<LearningGoal>('POST', '/knowledge/goals', body);
    await insertItems(service.database, itemDocuments(service.projectId, goalId, Number(values.items)));
    const asked = questions(Number(values.questions)).map(
      (question) => `/knowledge/search?q=${encodeURIComponent(question)}`,
    );
    await timed({ service, client }, asked);
    const words = await timed({ service, client }, asked);
    embedder.isAvailable = true;
    await sleep(FORGETS_AFTER_MS);
    // The first search of a question has it embedded.
    await timed({ service, client }, asked);
    const [fused, list] = [
      await timed({ service, client }, asked),
      await timed(
        { service, client },
        asked.map(() => LIST),
      ),
    ];
    const { lookedAt } = await client.json<SearchedKnowledge>('GET', asked[0] ?? LIST);
    const written = await write({ service, client }, goalId, Number(values.written));
    return figuresOf({ list, words, fused }, { items: Number(values.items), lookedAt, written });
  } finally {
    await client.close();
    await service.stop();
    await embedder.stop();
    await servers.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function insertItems(database: Db, items: Iterable<Document>): Promise<void> {
  let batch: Document[] = [];
  const flush = async () => {
    if (batch.length > 0) await database.collection('items').insertMany(batch, { ordered: false });
    batch = [];
  };
  for (const item of items) {
    batch.push(item);
    if (batch.length >= INSERTED_AT_ONCE) await flush();
  }
  await flush();
}

/** Reads paths one after the other. */
async function timed({ service, client }: Measured, paths: readonly string[]): Promise<Timed> {
  const usedBefore = processorMs(service.pid) ?? 0;
  const ms: number[] = [];
  for (const path of paths) {
    const startedAtMs = performance.now();
    await client.drain(path);
    ms.push(performance.now() - startedAtMs);
  }
  return { ms, processorMs: ((processorMs(service.pid) ?? 0) - usedBefore) / paths.length };
}

/** Has people write items, some at a time, and reads the memory of the service after a tenth and after all of them. */
async function write({ service, client }: Measured, goalId: string, count: number) {
  let next = 0;
  const writeUntil = async (end: number) => {
    const writers = Array.from({ length: WRITERS }, async () => {
      while (next < end) {
        next += 1;
        const item = { goalId, title: `Note ${next}`, content: `Note ${next} of parcel ${next * 7}`, kind: 'fact' };
        await client.json('POST', '/knowledge/items', item);
      }
    });
    await Promise.all(writers);
  };
  await writeUntil(count / 10);
  const early = peakMemoryMib(service.pid);
  const [startedAtMs, usedBefore] = [performance.now(), processorMs(service.pid) ?? 0];
  await writeUntil(count);
  const rest = (count * 9) / 10;
  return {
    ...{ count, peakMibAfterTenth: early, peakMib: peakMemoryMib(service.pid) },
    perSecond: round((rest * 1_000) / (performance.now() - startedAtMs)),
    processorMs: round(((processorMs(service.pid) ?? 0) - usedBefore) / rest),
  };
}

function figuresOf(timings: Record<'list' | 'words' | 'fused', Timed>, more: Record<string, unknown>) {
  const kinds = Object.entries(timings).map(([kind, { ms, processorMs: used }]) => {
    const [p50, p95] = [percentile(ms, 0.5), percentile(ms, 0.95)];
    return {
      kind,
      p50: round(p50, 1),
      p95: round(p95, 1),
      processorMs: round(used, 1),
      ofList: round(p95 / percentile(timings.list.ms, 0.95)),
    };
  });
  printTable(
    ['call', 'p50 ms', 'p95 ms', 'processor ms of the service', 'p95 to that of the list'],
    kinds.map((each) => [each.kind, each.p50, each.p95, each.processorMs, each.ofList]),
  );
  process.stdout.write(`${JSON.stringify(more)}\n`);
  return { kinds, ...more };
}
