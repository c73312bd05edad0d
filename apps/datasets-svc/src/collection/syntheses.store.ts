import type { Synthesis } from '@clew/contracts';
import type { afterLater, Claimed, Database, Transaction } from '@clew/persistence';
import type { DecisionDocument } from './decision.model.ts';
import { synthesisCollection, type SynthesisDocument } from './synthesis.model.ts';

export type ClaimedSynthesis = Claimed<SynthesisDocument>;

/** Response that a look found to be written. */
export interface WantedSynthesis {
  row: DecisionDocument;
  synthesis: Synthesis;
}

export interface SynthesisStore {
  /**
   * Makes responses due, instead of earlier ones of the same decisions. One that is to be made from the same words stays
   * as it is, but is made from the latest snapshot.
   */
  want(tx: Transaction, wanted: readonly WantedSynthesis[], nowMs: number): Promise<void>;
  get(tx: Transaction, id: string): Promise<SynthesisDocument | null>;
  /** Marks claimed rows as asked, and counts the round. */
  asked(tx: Transaction, claimed: readonly ClaimedSynthesis[]): Promise<void>;
  countFailure(tx: Transaction, id: string): Promise<void>;
  /** Makes an answered row due again. */
  putBack(tx: Transaction, id: string, again: NonNullable<ReturnType<typeof afterLater>>): Promise<void>;
  end(tx: Transaction, ids: readonly string[]): Promise<void>;
  /** Time since which the oldest row has waited that matches; undefined if none does. */
  putOffSince(projectId: string, some: object): Promise<number | undefined>;
  /** Removes what is wanted from an erased conversation; resolves with its number. */
  erase(projectId: string, conversationId: string): Promise<number>;
}

const FREE = { claim: null, leaseUntil: 0 } as const;

export function createSynthesisStore(database: Database): SynthesisStore {
  const syntheses = synthesisCollection(database);
  return {
    async want(tx, wanted, nowMs) {
      if (wanted.length === 0) return;
      const ids = wanted.map(({ row }) => row._id);
      const waiting = await syntheses.find({ _id: { $in: ids } }, { session: tx }).toArray();
      const known = new Map(waiting.map((each) => [each._id, each]));
      const writes = wanted.map(({ row, synthesis }) => {
        const same = known.get(row._id);
        if (same?.synthesis.basis === synthesis.basis && same.synthesis.derivationKey === synthesis.derivationKey) {
          const filter = { _id: row._id, state: 'due' as const };
          return { updateOne: { filter, update: { $set: { snapshotId: row.snapshotId } } } };
        }
        const { _id, projectId, datasetId, objective, conversationId, snapshotId, itemId, rounds: round } = row;
        const replacement = {
          ...{ projectId, datasetId, objective, conversationId, snapshotId, itemId, round, synthesis },
          ...{ state: 'due' as const, rounds: 0, failures: 0, createdAt: nowMs, dueAt: nowMs, attempts: 0, ...FREE },
        };
        return { replaceOne: { filter: { _id }, replacement, upsert: true } };
      });
      await syntheses.bulkWrite(writes, { session: tx });
    },
    get: (tx, _id) => syntheses.findOne({ _id }, { session: tx }),
    async asked(tx, claimed) {
      if (claimed.length === 0) return;
      const ids = claimed.map(({ _id }) => _id);
      const update = { $set: { state: 'asked' as const }, $inc: { rounds: 1 } };
      await syntheses.updateMany({ _id: { $in: ids } }, update, { session: tx });
    },
    async countFailure(tx, _id) {
      await syntheses.updateOne({ _id }, { $inc: { failures: 1 } }, { session: tx });
    },
    async putBack(tx, _id, again) {
      await syntheses.updateOne({ _id }, { $set: { state: 'due', ...again, ...FREE } }, { session: tx });
    },
    async end(tx, ids) {
      if (ids.length > 0) await syntheses.deleteMany({ _id: { $in: [...ids] } }, { session: tx });
    },
    async putOffSince(projectId, some) {
      const waiting = { projectId, state: 'due' as const, ...some };
      return (await syntheses.findOne(waiting, { sort: { createdAt: 1 }, projection: { createdAt: 1 } }))?.createdAt;
    },
    async erase(projectId, conversationId) {
      return (await syntheses.deleteMany({ projectId, conversationId })).deletedCount;
    },
  };
}
