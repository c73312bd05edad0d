import type { mongo } from 'mongoose';
import { ClaimLostError, type Claimed, type Database, type Transaction } from '@clew/persistence';
import {
  adjudicationCollection,
  verdictCollection,
  type AdjudicationDocument,
  type VerdictDocument,
} from './adjudication.model.ts';
import { adjudicationIdOf, type AdjudicationTarget } from './adjudication.ts';

export type ClaimedAdjudication = Claimed<AdjudicationDocument>;

/** What waits for the judge, and what it said. */
export interface AdjudicationStore {
  /** What was added before stays as it is. */
  add(
    tx: Transaction,
    wanted: readonly (AdjudicationTarget & { requestId: string | null })[],
    nowMs: number,
  ): Promise<void>;
  get(tx: Transaction, id: string): Promise<AdjudicationDocument | null>;
  /** Work in hand that has ended; throws a ClaimLostError where another process has taken it over. */
  end(tx: Transaction, claimed: readonly ClaimedAdjudication[]): Promise<void>;
  /** Work that was asked for and has ended, where it has not done so already. */
  endAsked(tx: Transaction, id: string): Promise<void>;
  /** The judge was asked. */
  asked(tx: Transaction, claimed: readonly ClaimedAdjudication[]): Promise<void>;
  /** The judge could not be asked. */
  countFailure(tx: Transaction, id: string): Promise<void>;
  /** The judge is to be asked again, later. */
  putBack(tx: Transaction, id: string, change: { dueAt: number; failures: number }): Promise<void>;
  /** Since when one waits that was put off, of what a Rule found in a conversation. */
  putOffSince(projectId: string, found: { conversationId: string; ruleId: string }): Promise<number | undefined>;
  /** By id. */
  verdicts(tx: Transaction, ids: readonly string[]): Promise<ReadonlyMap<string, VerdictDocument>>;
  /** The first that is kept counts. */
  keepVerdict(tx: Transaction, verdict: VerdictDocument): Promise<void>;
}

export function createAdjudicationStore({ connection }: Pick<Database, 'connection'>): AdjudicationStore {
  const adjudications = adjudicationCollection(connection);
  const verdicts = verdictCollection(connection);
  return {
    async add(tx, wanted, nowMs) {
      const writes = wanted.map((target): mongo.AnyBulkWriteOperation<AdjudicationDocument> => {
        const { projectId, conversationId, snapshotId, rule, requestId } = target;
        const row = {
          ...{ snapshotId, requestId, ruleId: rule.ruleId, revision: rule.revision ?? null },
          ...{ state: 'due' as const, rounds: 0, failures: 0, createdAt: nowMs, dueAt: nowMs },
        };
        return {
          updateOne: {
            filter: { _id: adjudicationIdOf(target), projectId, conversationId },
            update: { $setOnInsert: row },
            upsert: true,
          },
        };
      });
      if (writes.length > 0) await adjudications.bulkWrite(writes, { session: tx });
    },
    get: (tx, id) => adjudications.findOne({ _id: id }, { session: tx }),
    async end(tx, claimed) {
      if (claimed.length === 0) return;
      const held = claimed.map(({ _id, claim }) => ({ _id, claim }));
      const { deletedCount } = await adjudications.deleteMany({ $or: held }, { session: tx });
      if (deletedCount < claimed.length) throw new ClaimLostError('Another process has taken over what was claimed');
    },
    async endAsked(tx, id) {
      await adjudications.deleteOne({ _id: id, state: 'asked' }, { session: tx });
    },
    async asked(tx, claimed) {
      if (claimed.length === 0) return;
      const ids = claimed.map(({ _id }) => _id);
      await adjudications.updateMany(
        { _id: { $in: ids } },
        { $set: { state: 'asked' }, $inc: { rounds: 1 } },
        { session: tx },
      );
    },
    async countFailure(tx, id) {
      await adjudications.updateOne({ _id: id }, { $inc: { failures: 1 } }, { session: tx });
    },
    async putBack(tx, id, { dueAt, failures }) {
      const set = { state: 'due' as const, dueAt, failures };
      await adjudications.updateOne({ _id: id, state: 'asked' }, { $set: set }, { session: tx });
    },
    async putOffSince(projectId, found) {
      const row = await adjudications.findOne({ projectId, ...found, state: 'due' }, { projection: { createdAt: 1 } });
      return row?.createdAt;
    },
    async verdicts(tx, ids) {
      if (ids.length === 0) return new Map();
      const found = await verdicts.find({ _id: { $in: [...ids] } }, { session: tx }).toArray();
      return new Map(found.map((verdict) => [verdict._id, verdict]));
    },
    async keepVerdict(tx, { _id, projectId, conversationId, ...verdict }) {
      const filter = { _id, projectId, conversationId };
      await verdicts.updateOne(filter, { $setOnInsert: verdict }, { upsert: true, session: tx });
    },
  };
}
