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

/** Stores pending adjudications and verdicts. */
export interface AdjudicationStore {
  /** Adds adjudications; existing ones stay as they are. */
  add(
    tx: Transaction,
    wanted: readonly (AdjudicationTarget & { requestId: string | null })[],
    nowMs: number,
  ): Promise<void>;
  get(tx: Transaction, id: string): Promise<AdjudicationDocument | null>;
  /** Deletes claimed rows that have ended; throws a ClaimLostError if another process has taken one over. */
  end(tx: Transaction, claimed: readonly ClaimedAdjudication[]): Promise<void>;
  /** Deletes a row that was asked for, unless that was done already. */
  endAsked(tx: Transaction, id: string): Promise<void>;
  /** Marks claimed rows as asked, and counts the round. */
  asked(tx: Transaction, claimed: readonly ClaimedAdjudication[]): Promise<void>;
  /** Counts a failure before the judge could be asked. */
  countFailure(tx: Transaction, id: string): Promise<void>;
  /** Makes an asked row due again at a later time. */
  putBack(tx: Transaction, id: string, change: { dueAt: number; failures: number }): Promise<void>;
  /** Time since which an adjudication of a Rule and conversation is pending; `undefined` if none is. */
  putOffSince(projectId: string, found: { conversationId: string; ruleId: string }): Promise<number | undefined>;
  verdicts(tx: Transaction, ids: readonly string[]): Promise<ReadonlyMap<string, VerdictDocument>>;
  /** Stores a verdict; the first one for an id stays. */
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
