import type { Db, Document } from 'mongodb';

const BATCH = 1_000;
const COLLECTION = 'examples';
const WRITE_CONCERN = { w: 'majority', journal: true } as const;

/** Inserts the stored Examples into an empty collection with the same indexes; returns the duration. */
export async function insertRaw(database: Db): Promise<{ elapsedMs: number }> {
  const documents = await database.collection(COLLECTION).find().toArray();
  const indexes = await database.collection(COLLECTION).indexes();
  const raw = await database.createCollection<Document>(`${COLLECTION}_raw`);
  await raw.createIndexes(indexes.filter(({ name }) => name !== '_id_').map(({ v: _v, ...index }) => index));
  const startedAtMs = performance.now();
  for (let start = 0; start < documents.length; start += BATCH) {
    await raw.insertMany(documents.slice(start, start + BATCH), { writeConcern: WRITE_CONCERN });
  }
  const elapsedMs = performance.now() - startedAtMs;
  await raw.drop();
  return { elapsedMs };
}
