import type { Db, Document, MongoClient } from 'mongodb';

const BATCH = 500;
const WRITE_CONCERN = { w: 'majority', journal: true } as const;
const COLLECTIONS = ['spans', 'raw_payloads'] as const;

/** The documents that one project's spans became, by collection. */
export type StoredDocuments = Record<(typeof COLLECTIONS)[number], Document[]>;

export async function readDocuments(telemetry: Db, projectId: string): Promise<StoredDocuments> {
  const ofProject = { _id: { $gt: `${projectId}:`, $lt: `${projectId};` } } as unknown as Document;
  const [spans, payloads] = await Promise.all(
    COLLECTIONS.map((name) => telemetry.collection(name).find(ofProject).toArray()),
  );
  return { spans: spans ?? [], raw_payloads: payloads ?? [] };
}

/** Upserts the same documents in bulks into empty collections, and gives back how long that took. */
export async function upsertRaw(client: MongoClient, documents: StoredDocuments): Promise<{ elapsedMs: number }> {
  const scratch = client.db(`bench_raw_${process.pid}`);
  await scratch.dropDatabase();
  for (const name of COLLECTIONS) await scratch.createCollection(name);
  const startedAtMs = performance.now();
  await Promise.all(
    COLLECTIONS.map(async (name) => {
      const collection = scratch.collection(name);
      for (let start = 0; start < documents[name].length; start += BATCH) {
        const operations = documents[name].slice(start, start + BATCH).map(({ _id, ...fields }) => ({
          updateOne: { filter: { _id }, update: { $setOnInsert: fields }, upsert: true },
        }));
        await collection.bulkWrite(operations, { ordered: false, writeConcern: WRITE_CONCERN });
      }
    }),
  );
  const elapsedMs = performance.now() - startedAtMs;
  await scratch.dropDatabase();
  return { elapsedMs };
}
