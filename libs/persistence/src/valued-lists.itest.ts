import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CursorKey } from '@clew/kernel';
import { explainSent, monitored, silentLogger, useTestEnvironment } from '@clew/testing';
import type { mongo } from 'mongoose';
import { connectMongo, createValuedLists, nativeDb, type Database, type KeysetSort } from './index.ts';

interface Row {
  _id: string;
  projectId: string;
  at: number;
  values: string[];
}

const COUNT = 6_000;
const LIMIT = 50;
const PROJECT_ID = 'prj_1';
const LIST_INDEX = 'by_value';
const ORDER: KeysetSort = [
  ['at', -1],
  ['_id', -1],
];

/** Rows have two frequent values; every other one of the older half has another one, which still is frequent enough. */
const rows = Array.from({ length: COUNT }, (_, at): Row => {
  const rarer = at < COUNT / 2 && at % 2 === 0 ? ['old'] : [];
  return { _id: `row ${at}`, projectId: PROJECT_ID, at, values: ['first', 'second', ...rarer] };
});

const environment = useTestEnvironment();
let database: Database;
let collection: mongo.Collection<Row>;

beforeAll(async () => {
  const { mongoUrl, database: name } = environment;
  const url = monitored(mongoUrl);
  database = await connectMongo({ url, database: name, appName: 'test', logger: silentLogger() });
  collection = nativeDb(database.connection).collection<Row>('rows');
  await collection.insertMany(rows);
  await collection.createIndex({ projectId: 1, values: 1, at: -1, _id: -1 }, { name: LIST_INDEX });
});

afterAll(() => database.close());

const filterOf = (...values: string[]) => ({
  scope: { projectId: PROJECT_ID },
  values: values.map((value) => ({ field: 'values', value })),
  ...{ indexed: {}, compared: [] },
});

async function pageOf(values: readonly string[], after?: CursorKey) {
  const lists = createValuedLists(database, collection);
  const plan = await lists.planOf(filterOf(...values), () => LIST_INDEX);
  return lists.slice(plan, { order: ORDER, hint: LIST_INDEX, limit: LIMIT, after }, ({ _id }) => _id);
}

describe('a list by frequent values', () => {
  it('fills its pages by the rarest one where none of the first documents has all, and looks at few others', async () => {
    const expected = rows.filter(({ values }) => values.includes('old')).toReversed();
    const found: string[] = [];
    let after: CursorKey | undefined;
    do {
      const queries = await explainSent(database, async () => {
        const { items, next } = await pageOf(['first', 'second', 'old'], after);
        expect(items.length).toBe(Math.min(LIMIT, expected.length - found.length));
        found.push(...items);
        after = next;
      });
      const documents = queries.reduce((sum, { stats }) => sum + stats.totalDocsExamined, 0);
      expect(documents).toBeLessThanOrEqual(LIMIT * 8 + LIMIT + 1);
    } while (after !== undefined);
    expect(found).toEqual(expected.map(({ _id }) => _id));
  });

  it('looks for no rarer value where the first documents have all', async () => {
    const queries = await explainSent(database, async () => {
      expect((await pageOf(['first', 'second'])).items.length).toBe(LIMIT);
    });
    expect(queries.filter(({ plan }) => plan.startsWith('count')).length).toBe(2);
  });
});
