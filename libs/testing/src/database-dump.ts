import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { readJson } from '@clew/kernel';
import { mongo } from 'mongoose';

interface DumpLine {
  collection: string;
  index?: mongo.IndexDescription;
  /** Canonical EJSON. */
  document?: mongo.BSON.Document;
}

/** Makes the collections, indexes and documents of a dump, which is a gzip of one JSON text a line. */
export async function restoreDump(db: mongo.Db, file: string): Promise<void> {
  const text = gunzipSync(await readFile(file)).toString();
  for (const line of text.split('\n').filter((each) => each !== '')) {
    const { collection, index, document } = readJson(line) as DumpLine;
    if (index !== undefined) await db.collection(collection).createIndexes([index]);
    if (document !== undefined) await db.collection(collection).insertOne(mongo.BSON.EJSON.deserialize(document));
  }
}

/** All documents and indexes of a database, in an order of their own, to be compared with another's. */
export async function databaseContent(db: mongo.Db, without: readonly string[] = []): Promise<Record<string, unknown>> {
  const content: Record<string, unknown> = {};
  for (const collection of await db.collections()) {
    if (without.includes(collection.collectionName)) continue;
    const documents = await collection.find({}, { sort: { _id: 1 } }).toArray();
    const indexes = (await collection.indexes()).toSorted((a, b) => ((a.name ?? '') < (b.name ?? '') ? -1 : 1));
    content[collection.collectionName] = {
      documents: documents.map((document) => mongo.BSON.EJSON.serialize(document, { relaxed: false }) as unknown),
      indexes,
    };
  }
  return content;
}
