import { derivedId } from '@clew/kernel';
import type { Claimed, Database, Transaction } from '@clew/persistence';
import { comparisonCollection, type ComparisonDocument } from './comparison.model.ts';

export type ClaimedComparison = Claimed<ComparisonDocument>;

/** Change of an asked row that waits again. */
export interface PutBack {
  dueAt: number;
  failures: number;
}

/** Comparisons of kinds, one row for each agent. */
export interface ComparisonStore {
  /** Makes comparisons of agents due, unless they are already. */
  want(tx: Transaction, projectId: string, agents: readonly (string | null)[], dueAt: number): Promise<void>;
  get(tx: Transaction, id: string): Promise<ComparisonDocument | null>;
  /** Marks a claimed row as asked, and counts the round. */
  asked(tx: Transaction, row: ClaimedComparison): Promise<void>;
  /** Notes since when the model of a row is away. */
  noteAway(tx: Transaction, id: string, awaySince: number): Promise<void>;
  /** Ends a row; one that became due meanwhile stays so. */
  end(tx: Transaction, row: Pick<ComparisonDocument, '_id' | 'state'>): Promise<void>;
  /** Makes an asked row due again. */
  putBack(tx: Transaction, id: string, change: PutBack): Promise<void>;
}

const OVER = { dueAt: null } as const;

export function createComparisonStore({ connection }: Pick<Database, 'connection'>): ComparisonStore {
  const comparisons = comparisonCollection(connection);
  const isDue = { $eq: ['$state', 'due'] };
  return {
    async want(tx, projectId, agents, dueAt) {
      const writes = agents.map((agent) => ({
        updateOne: {
          filter: { _id: derivedId('kcm', projectId, agent ?? '') },
          update: [
            {
              $set: {
                ...{ projectId: { $literal: projectId }, agent: { $literal: agent }, state: 'due' },
                dueAt: { $cond: [isDue, '$dueAt', dueAt] },
                rounds: { $ifNull: ['$rounds', 0] },
                failures: { $cond: [isDue, '$failures', 0] },
                wanted: { $add: [{ $ifNull: ['$wanted', 0] }, 1] },
              },
            },
          ],
          upsert: true,
        },
      }));
      if (writes.length > 0) await comparisons.bulkWrite(writes, { session: tx });
    },
    get: (tx, id) => comparisons.findOne({ _id: id }, { session: tx }),
    async asked(tx, { _id }) {
      const update = { $set: { state: 'asked' as const }, $inc: { rounds: 1 }, $unset: { awaySince: 1 as const } };
      await comparisons.updateOne({ _id }, update, { session: tx });
    },
    async noteAway(tx, id, awaySince) {
      await comparisons.updateOne({ _id: id }, { $set: { awaySince } }, { session: tx });
    },
    async end(tx, { _id, state }) {
      await comparisons.updateOne({ _id, state }, { $set: { state: 'ended', ...OVER } }, { session: tx });
    },
    async putBack(tx, id, change) {
      const set = { state: 'due' as const, ...change };
      await comparisons.updateOne({ _id: id, state: 'asked' }, { $set: set }, { session: tx });
    },
  };
}
