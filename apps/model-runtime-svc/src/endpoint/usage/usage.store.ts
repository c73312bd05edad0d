import type { Slice, SliceRequest } from '@clew/kernel';
import { nativeDb, readSlice, type Database, type KeysetList, type Transaction } from '@clew/persistence';
import { dayTokensModel, usageModel, type DayTokensDocument, type UsageDocument } from './usage.model.ts';
import { decimalOf } from './cost.ts';
import { usageRowModel, type UsageRowDocument } from './usage-row.model.ts';
import { usageRowKey, usageRowsOf } from './usage-rows.ts';
import { dayTokensKey, usageKey, usageOf, type CountedUsage, type DayTokensKey } from './usage.ts';
import type { FinishedCall } from '../recording/finished-call.ts';
import { mongo } from 'mongoose';

export const USAGE: KeysetList = {
  name: 'usage',
  order: [
    ['day', -1],
    ['_id', -1],
  ],
};

/** Range of days, both inclusive. */
export interface UsageRange {
  from?: string | undefined;
  to?: string | undefined;
}

export interface UsageStore {
  /** Adds calls that have ended to all that is counted of them, in one transaction. */
  add(calls: readonly FinishedCall[]): Promise<void>;
  /** Lists usage, newest day first. */
  list(projectId: string, range: UsageRange, slice: SliceRequest): Promise<Slice<UsageDocument>>;
  /** Returns the tokens that calls of an origin have used on a day. */
  tokensOf(key: DayTokensKey): Promise<number>;
  /** Returns the tokens of all calls by day, for days that had any. */
  tokensSince(projectId: string, fromDay: string, toDay: string): Promise<Map<string, number>>;
}

export function createUsageStore(database: Database): UsageStore {
  const model = usageModel(database.connection);
  const days = dayTokensModel(database.connection);
  const db = nativeDb(database.connection);
  const collection = db.collection<UsageDocument>(model.collection.name);
  const dayCollection = db.collection<DayTokensDocument>(days.collection.name);

  const rowModel = usageRowModel(database.connection);
  const rowCollection = db.collection<UsageRowDocument>(rowModel.collection.name);

  /** Adds to one sum per day, so that a budget is looked up and not added up, however many models were called. */
  async function addTokens(tx: Transaction, usage: readonly CountedUsage[]): Promise<void> {
    const writes = usage.map((counted) => {
      const { projectId, day, origin } = counted;
      const tokens = counted.inputTokens + counted.outputTokens;
      const update = { $set: { projectId, day, origin }, $inc: { tokens } };
      return { updateOne: { filter: { _id: dayTokensKey(counted) }, update, upsert: true } };
    });
    await dayCollection.bulkWrite(writes, { session: tx });
  }

  async function addUsage(tx: Transaction, usage: readonly CountedUsage[]): Promise<void> {
    const writes = usage.map((counted) => {
      const { calls, failedCalls, inputTokens, outputTokens, ...named } = counted;
      const $inc = { calls, failedCalls, inputTokens, outputTokens };
      return { updateOne: { filter: { _id: usageKey(counted) }, update: { $set: named, $inc }, upsert: true } };
    });
    await collection.bulkWrite(writes, { session: tx });
  }

  async function addRows(tx: Transaction, ended: readonly FinishedCall[]): Promise<void> {
    const writes = usageRowsOf(ended).map((row) => {
      const { costs, projectId, day, model: called, key, ...$inc } = row;
      const amounts = [...costs].map(([currency, cost]) => [`costs.${currency}`, decimal128(cost)]);
      const update = {
        $set: { projectId, day, model: called, key },
        $inc: { ...$inc, ...(Object.fromEntries(amounts) as Record<string, mongo.Decimal128>) },
      };
      return { updateOne: { filter: { _id: usageRowKey(row) }, update, upsert: true } };
    });
    await rowCollection.bulkWrite(writes, { session: tx });
  }

  return {
    async add(calls) {
      if (calls.length === 0) return;
      const usage = usageOf(calls);
      await database.withTransaction(async (tx) => {
        await addTokens(tx, usage);
        await addUsage(tx, usage);
        await addRows(tx, calls);
      });
    },
    list(projectId, { from, to }, slice) {
      const day = { ...(from === undefined ? {} : { $gte: from }), ...(to === undefined ? {} : { $lte: to }) };
      const filter = { projectId, ...(Object.keys(day).length === 0 ? {} : { day }) };
      return readSlice(collection, USAGE.order, { filter, ...slice }, (found: UsageDocument) => found);
    },
    async tokensOf(key) {
      const found = await days.findById(dayTokensKey(key), { tokens: 1 }).lean();
      return found?.tokens ?? 0;
    },
    async tokensSince(projectId, fromDay, toDay) {
      // All origins of the last day come before `~`.
      const found = dayCollection.find({ _id: { $gte: `${projectId}:${fromDay}:`, $lt: `${projectId}:${toDay}:~` } });
      const tokens = new Map<string, number>();
      for await (const { day, tokens: more } of found) tokens.set(day, (tokens.get(day) ?? 0) + more);
      return tokens;
    },
  };
}

function decimal128(cost: bigint): mongo.Decimal128 {
  return mongo.Decimal128.fromString(decimalOf(cost));
}
