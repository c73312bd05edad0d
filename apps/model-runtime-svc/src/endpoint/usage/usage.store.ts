import type { Slice, SliceRequest } from '@clew/kernel';
import { nativeDb, readSlice, type Database, type KeysetList } from '@clew/persistence';
import { dayTokensModel, usageModel, type DayTokensDocument, type UsageDocument } from './usage.model.ts';
import { dayTokensKey, usageKey, type CountedUsage, type DayTokensKey } from './usage.ts';

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
  add(usage: readonly CountedUsage[]): Promise<void>;
  /** Lists usage, newest day first. */
  list(projectId: string, range: UsageRange, slice: SliceRequest): Promise<Slice<UsageDocument>>;
  /** Returns the tokens that calls of an origin have used on a day. */
  tokensOf(key: DayTokensKey): Promise<number>;
}

export function createUsageStore(database: Database): UsageStore {
  const model = usageModel(database.connection);
  const days = dayTokensModel(database.connection);
  const db = nativeDb(database.connection);
  const collection = db.collection<UsageDocument>(model.collection.name);
  const dayCollection = db.collection<DayTokensDocument>(days.collection.name);

  /** Adds to one sum per day, so that a budget is looked up and not added up, however many models were called. */
  async function addTokens(usage: readonly CountedUsage[]): Promise<void> {
    const writes = usage.map((counted) => {
      const { projectId, day, origin } = counted;
      const tokens = counted.inputTokens + counted.outputTokens;
      const update = { $set: { projectId, day, origin }, $inc: { tokens } };
      return { updateOne: { filter: { _id: dayTokensKey(counted) }, update, upsert: true } };
    });
    await dayCollection.bulkWrite(writes, { ordered: false });
  }

  return {
    async add(usage) {
      if (usage.length === 0) return;
      const writes = usage.map((counted) => {
        const { calls, failedCalls, inputTokens, outputTokens, ...named } = counted;
        const $inc = { calls, failedCalls, inputTokens, outputTokens };
        return { updateOne: { filter: { _id: usageKey(counted) }, update: { $set: named, $inc }, upsert: true } };
      });
      await addTokens(usage);
      await collection.bulkWrite(writes, { ordered: false });
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
  };
}
