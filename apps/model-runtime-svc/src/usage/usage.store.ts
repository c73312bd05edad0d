import type { DayUsage } from '@clew/contracts';
import type { CursorKey } from '@clew/kernel';
import { keysetFilter, nativeDb, type Database, type KeysetSort } from '@clew/persistence';
import { usageModel, type UsageDocument } from './usage.model.ts';
import { usageKey, type CountedUsage } from './usage.ts';

export const USAGE_SORT: KeysetSort = [
  ['day', -1],
  ['_id', -1],
];

export interface UsagePage {
  from: string | undefined;
  to: string | undefined;
  limit: number;
  after?: CursorKey | undefined;
}

export interface UsageStore {
  add(usage: readonly CountedUsage[]): Promise<void>;
  list(projectId: string, page: UsagePage): Promise<UsageDocument[]>;
  /** Tokens that calls of an origin have used on a day. */
  tokensOf(projectId: string, day: string, origin: DayUsage['origin']): Promise<number>;
}

export function createUsageStore(database: Database): UsageStore {
  const model = usageModel(database.connection);
  const collection = nativeDb(database.connection).collection<UsageDocument>(model.collection.name);
  return {
    async add(usage) {
      if (usage.length === 0) return;
      const writes = usage.map((counted) => {
        const { calls, failedCalls, inputTokens, outputTokens, ...named } = counted;
        const $inc = { calls, failedCalls, inputTokens, outputTokens };
        return { updateOne: { filter: { _id: usageKey(counted) }, update: { $set: named, $inc }, upsert: true } };
      });
      await collection.bulkWrite(writes, { ordered: false });
    },
    async list(projectId, { from, to, limit, after }) {
      const days = { ...(from === undefined ? {} : { $gte: from }), ...(to === undefined ? {} : { $lte: to }) };
      const filters = [
        { projectId },
        ...(Object.keys(days).length === 0 ? [] : [{ day: days }]),
        ...(after === undefined ? [] : [keysetFilter(USAGE_SORT, after)]),
      ];
      return await model.find({ $and: filters }).sort({ day: -1, _id: -1 }).limit(limit).lean();
    },
    async tokensOf(projectId, day, origin) {
      const found = await model.find({ projectId, day }, { origin: 1, inputTokens: 1, outputTokens: 1 }).lean();
      return found
        .filter((usage) => usage.origin === origin)
        .reduce((sum, { inputTokens, outputTokens }) => sum + inputTokens + outputTokens, 0);
    },
  };
}
