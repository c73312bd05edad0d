import { MAX_USAGE_GROUPS, type InferenceUsage, type UsageGroup } from '@clew/contracts';
import { nativeDb, type Database } from '@clew/persistence';
import type { mongo } from 'mongoose';
import { costFrom, decimalOf } from './cost.ts';
import { usageRowModel, type UsageRowDocument } from './usage-row.model.ts';

export interface UsageSumQuery {
  projectIds: readonly string[];
  fromDay: string;
  toDay: string;
  by: UsageGroup;
}

export interface UsageSums {
  /** Adds up rows by group, those with most tokens first. */
  sum(query: UsageSumQuery): Promise<{ usage: InferenceUsage[]; isComplete: boolean }>;
}

const FIELD_OF_GROUP = { day: 'day', model: 'model', key: 'key', project: 'projectId' } as const;
const MAX_SUM_MS = 15_000;

type Sums = Omit<InferenceUsage, 'group' | 'costs'> & { _id: string };

export function createUsageSums(database: Database): UsageSums {
  const { collection } = usageRowModel(database.connection);
  const rows = nativeDb(database.connection).collection<UsageRowDocument>(collection.name);
  const aggregate = <Result extends mongo.Document>(stages: mongo.Document[]) =>
    rows.aggregate<Result>(stages, { maxTimeMS: MAX_SUM_MS }).toArray();

  return {
    async sum({ projectIds, fromDay, toDay, by }) {
      const field = FIELD_OF_GROUP[by];
      const match = { projectId: { $in: [...projectIds] }, day: { $gte: fromDay, $lte: toDay } };
      const found = await aggregate<Sums>([
        { $match: match },
        {
          $group: {
            _id: `$${field}`,
            ...Object.fromEntries(SUMMED.map((name) => [name, { $sum: `$${name}` }])),
          },
        },
        { $set: { tokens: { $add: ['$inputTokens', '$outputTokens'] } } },
        { $sort: { tokens: -1, _id: 1 } },
        { $limit: MAX_USAGE_GROUPS + 1 },
        { $unset: 'tokens' },
      ]);
      const kept = found.slice(0, MAX_USAGE_GROUPS);
      const costs = await costsOf(match, field, kept);
      const usage = kept.map(({ _id: group, ...sums }) => ({ group, ...sums, costs: costs.get(group) ?? [] }));
      return { usage, isComplete: found.length === kept.length };
    },
  };

  async function costsOf(
    match: object,
    field: string,
    kept: readonly Sums[],
  ): Promise<Map<string, InferenceUsage['costs']>> {
    if (kept.length === 0) return new Map();
    const found = await aggregate<{ _id: { group: string; currency: string }; amount: mongo.Decimal128 }>([
      { $match: { $and: [match, { [field]: { $in: kept.map(({ _id }) => _id) } }, { costs: { $exists: true } }] } },
      { $project: { group: `$${field}`, cost: { $objectToArray: '$costs' } } },
      { $unwind: '$cost' },
      { $group: { _id: { group: '$group', currency: '$cost.k' }, amount: { $sum: '$cost.v' } } },
      { $sort: { '_id.currency': 1 } },
    ]);
    const costs = new Map<string, InferenceUsage['costs']>();
    for (const { _id, amount } of found) {
      const cost = { currency: _id.currency, amount: decimalOf(costFrom(amount.toString())) };
      costs.set(_id.group, [...(costs.get(_id.group) ?? []), cost]);
    }
    return costs;
  }
}

const SUMMED = ['calls', 'failedCalls', 'inputTokens', 'outputTokens', 'unpricedTokens'] as const;
