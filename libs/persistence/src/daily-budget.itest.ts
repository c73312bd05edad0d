import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { silentLogger, useTestEnvironment } from '@clew/testing';
import {
  connectMongo,
  createDailyBudget,
  nativeDb,
  type DailyBudget,
  type DailyBudgetRow,
  type Database,
} from './index.ts';

const NOW_MS = 1_780_000_000_000;
const DAY_MS = 86_400_000;
const OWNER = { _id: 'one' };

const environment = useTestEnvironment();
let database: Database;
let budget: DailyBudget;

const rows = () => nativeDb(database.connection).collection<DailyBudgetRow>('budgets');

beforeAll(async () => {
  const { mongoUrl: url, database: name } = environment;
  database = await connectMongo({ url, database: name, appName: 'test', logger: silentLogger() });
  await database.connection.createCollection('budgets');
  budget = createDailyBudget(rows());
});

afterAll(() => database.close());
beforeEach(() => rows().deleteMany({}));

const reserve = (wanted: number, { limit = 5, nowMs = NOW_MS, owner = OWNER } = {}) =>
  database.withTransaction((tx) => budget.reserve(tx, owner, { wanted, limit, nowMs }));

describe('the budget of a day', () => {
  it('grants what is left, of each owner its own, and everything again on the next day', async () => {
    expect([await reserve(3), await reserve(3), await reserve(1)]).toEqual([3, 2, 0]);
    expect(await reserve(3, { owner: { _id: 'two' } })).toBe(3);
    expect(await reserve(9, { nowMs: NOW_MS + DAY_MS })).toBe(5);
  });

  it('counts a reservation that took no call as not made, and never below nothing', async () => {
    await reserve(5);
    await database.withTransaction((tx) => budget.correct(tx, OWNER, -1, NOW_MS));
    expect([await reserve(5), await reserve(5)]).toEqual([1, 0]);
    await database.withTransaction((tx) => budget.correct(tx, OWNER, -9, NOW_MS));
    expect(await reserve(9)).toBe(5);
  });

  it('that was lowered grants nothing more', async () => {
    await reserve(4);
    expect(await reserve(1, { limit: 3 })).toBe(0);
  });
});
