import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import mongoose, { Schema, type Connection, type Model } from 'mongoose';
import { explainUsesIndex } from './explain.ts';
import { useTestEnvironment } from './test-environment.ts';

interface Row {
  owner: string;
  rank: number;
}

const environment = useTestEnvironment();
let connection: Connection;
let Rows: Model<Row>;

beforeAll(async () => {
  connection = await mongoose.createConnection(environment.mongoUrl, { dbName: environment.database }).asPromise();
  Rows = connection.model<Row>('Row', new Schema<Row>({ owner: String, rank: Number }).index({ owner: 1, rank: 1 }));
  await Rows.createIndexes();
});

afterAll(() => connection.close());

describe('explainUsesIndex', () => {
  it('tells the stages of a query that an index answers', async () => {
    expect(await explainUsesIndex(Rows.find({ owner: 'a' }).sort({ rank: 1 }))).toEqual(
      expect.arrayContaining(['FETCH', 'IXSCAN']),
    );
  });

  it('accepts an aggregate', async () => {
    const aggregate = Rows.aggregate([{ $match: { owner: 'a' } }, { $sort: { rank: 1 } }, { $limit: 3 }]);
    expect(await explainUsesIndex(aggregate)).toContain('IXSCAN');
  });

  it('refuses a query that reads the whole collection', async () => {
    await expect(explainUsesIndex(Rows.find({ rank: 3 }))).rejects.toThrow('COLLSCAN');
  });

  it('refuses a query that sorts in memory', async () => {
    await expect(explainUsesIndex(Rows.find({ owner: { $gt: 'a' } }).sort({ rank: 1 }))).rejects.toThrow('SORT');
  });

  it('refuses a collection that does not exist, since its plan proves nothing', async () => {
    const Missing = connection.model('Missing', new Schema({ owner: String }, { autoCreate: false, autoIndex: false }));
    await expect(explainUsesIndex(Missing.find({ owner: 'a' }))).rejects.toThrow('EOF');
  });
});
