import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { mongo } from 'mongoose';
import { silentLogger, useTestEnvironment } from '@clew/testing';
import { connectMongo, insertNew, nativeDb, type Database } from './index.ts';

interface Row {
  _id: string;
  writer: number;
  text?: string;
}

const environment = useTestEnvironment();
let database: Database;
let rows: mongo.Collection<Row>;

beforeAll(async () => {
  const { mongoUrl: url, database: name } = environment;
  database = await connectMongo({ url, database: name, appName: 'test', logger: silentLogger() });
  rows = nativeDb(database.connection).collection('rows');
});

beforeEach(async () => {
  await rows.deleteMany({});
});

afterAll(() => database.close());

it('inserts what is not there, leaves what is, and tells which was', async () => {
  const ids = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e'));
  await fc.assert(
    fc.asyncProperty(fc.array(ids, { maxLength: 4 }), async (writes) => {
      await rows.deleteMany({});
      const stored = new Map<string, Row>();
      for (const [writer, written] of writes.entries()) {
        const documents = written.map((_id) => ({ _id, writer }));
        const known = await insertNew(rows, documents);
        expect(known).toEqual(documents.filter(({ _id }) => stored.has(_id)));
        for (const row of documents) if (!stored.has(row._id)) stored.set(row._id, row);
      }
      expect(await rows.find().sort({ _id: 1 }).toArray()).toEqual(
        [...stored.values()].toSorted((left, right) => (left._id < right._id ? -1 : 1)),
      );
    }),
    { numRuns: 30 },
  );
});

it('fails where anything but a duplicate goes wrong', async () => {
  const tooLarge = 'x'.repeat(17 * 1024 * 1024);
  await rows.insertOne({ _id: 'a', writer: 0 });
  await expect(
    insertNew(rows, [
      { _id: 'a', writer: 1 },
      { _id: 'b', writer: 1, text: tooLarge },
    ]),
  ).rejects.toThrow();
});
