import type { mongo } from 'mongoose';
import { derivedId } from '@clew/kernel';
import { ClaimLostError, type Claimed, type Database, type Transaction } from '@clew/persistence';
import { reviewCollection, type ChosenBy, type ReviewDocument, type ReviewResult } from './reviews.model.ts';

export type ClaimedReview = Claimed<ReviewDocument>;

/** Snapshot of a conversation that is to be read. */
export interface WantedReview {
  projectId: string;
  conversationId: string;
  snapshotId: string;
  requestId: string | null;
  chosenBy: ChosenBy;
  /** Probability of the draw; null if the conversation was chosen otherwise. */
  inclusion: number | null;
  dueAt: number;
}

/** Result of a review, with facts of the conversation. */
export interface KeptReview {
  id: string;
  result: ReviewResult;
  startedAt: number;
  agents: string[];
  reviewedAt: number;
}

/** Reviews: tasks and records in one. */
export interface ReviewStore {
  /** Snapshots that were chosen of some conversations, by conversation. */
  snapshotsOf(
    tx: Transaction,
    projectId: string,
    conversationIds: readonly string[],
  ): Promise<ReadonlyMap<string, string>>;
  /** Makes reviews due. Of two draws of a conversation, the higher probability holds. */
  want(tx: Transaction, wanted: readonly WantedReview[], nowMs: number): Promise<void>;
  get(tx: Transaction, id: string): Promise<ReviewDocument | null>;
  /** Reads rows by id. */
  getMany(tx: Transaction, ids: readonly string[]): Promise<ReadonlyMap<string, ReviewDocument>>;
  /** Ends claimed rows without a result; throws a ClaimLostError if another process has taken one over. */
  end(tx: Transaction, claimed: readonly ClaimedReview[]): Promise<void>;
  /** Marks claimed rows as asked, and counts the round, unless a newer snapshot is wanted by now. */
  asked(tx: Transaction, claimed: readonly ClaimedReview[]): Promise<void>;
  countFailure(tx: Transaction, id: string): Promise<void>;
  /** Makes an asked row due again at a later time. */
  putBack(tx: Transaction, id: string, change: { dueAt: number; failures: number }): Promise<void>;
  /** Ends an asked row without a result, unless that was done already. */
  endAsked(tx: Transaction, id: string): Promise<void>;
  /** Stores results; a row that waits for a newer snapshot stays due. */
  keep(tx: Transaction, kept: readonly KeptReview[]): Promise<void>;
  /** Time since which a review waits, among those that match; `undefined` if none does. */
  putOffSince(projectId: string, some: mongo.Filter<ReviewDocument>): Promise<number | undefined>;
}

const OVER = { dueAt: null, claim: null, leaseUntil: 0 } as const;

export function reviewIdOf(projectId: string, conversationId: string): string {
  return derivedId('rvw', projectId, conversationId);
}

export function createReviewStore({ connection }: Pick<Database, 'connection'>): ReviewStore {
  const reviews = reviewCollection(connection);
  return {
    async snapshotsOf(tx, projectId, conversationIds) {
      const ids = conversationIds.map((conversationId) => reviewIdOf(projectId, conversationId));
      const found = reviews.find(
        { _id: { $in: ids } },
        { session: tx, projection: { conversationId: 1, snapshotId: 1 } },
      );
      return new Map((await found.toArray()).map(({ conversationId, snapshotId }) => [conversationId, snapshotId]));
    },
    async want(tx, wanted, nowMs) {
      const writes = wanted.map((each) => wantedWrite(each, nowMs));
      if (writes.length > 0) await reviews.bulkWrite(writes, { session: tx });
    },
    get: (tx, id) => reviews.findOne({ _id: id }, { session: tx }),
    async getMany(tx, ids) {
      const found = await reviews.find({ _id: { $in: [...ids] } }, { session: tx }).toArray();
      return new Map(found.map((row) => [row._id, row]));
    },
    async end(tx, claimed) {
      if (claimed.length === 0) return;
      const held = claimed.map(({ _id, claim }) => ({ _id, claim }));
      const ended = await reviews.updateMany({ $or: held }, { $set: { state: 'ended', ...OVER } }, { session: tx });
      if (ended.matchedCount < claimed.length)
        throw new ClaimLostError('Another process has taken over what was claimed');
    },
    async asked(tx, claimed) {
      if (claimed.length === 0) return;
      const same = claimed.map(({ _id, snapshotId }) => ({ _id, snapshotId }));
      await reviews.updateMany({ $or: same }, { $set: { state: 'asked' }, $inc: { rounds: 1 } }, { session: tx });
    },
    async countFailure(tx, id) {
      await reviews.updateOne({ _id: id }, { $inc: { failures: 1 } }, { session: tx });
    },
    async putBack(tx, id, { dueAt, failures }) {
      const set = { state: 'due' as const, dueAt, failures };
      await reviews.updateOne({ _id: id, state: 'asked' }, { $set: set }, { session: tx });
    },
    async endAsked(tx, id) {
      await reviews.updateOne({ _id: id, state: 'asked' }, { $set: { state: 'ended', ...OVER } }, { session: tx });
    },
    async keep(tx, kept) {
      if (kept.length === 0) return;
      const done = { state: 'done' as const, failures: 0, ...OVER };
      const writes = kept.flatMap(({ id: _id, ...review }): mongo.AnyBulkWriteOperation<ReviewDocument>[] => [
        { updateOne: { filter: { _id }, update: { $set: review } } },
        { updateOne: { filter: { _id, snapshotId: review.result.snapshotId }, update: { $set: done } } },
      ]);
      await reviews.bulkWrite(writes, { session: tx });
    },
    async putOffSince(projectId, some) {
      const row = await reviews.findOne({ projectId, ...some, state: 'due' }, { projection: { createdAt: 1 } });
      return row?.createdAt;
    },
  };
}

function wantedWrite(
  { projectId, conversationId, snapshotId, requestId, chosenBy, inclusion, dueAt }: WantedReview,
  nowMs: number,
): mongo.AnyBulkWriteOperation<ReviewDocument> {
  const filter = { _id: reviewIdOf(projectId, conversationId), projectId, conversationId };
  return {
    updateOne: {
      filter,
      update: {
        $set: { snapshotId, requestId, state: 'due' as const, dueAt, failures: 0 },
        $setOnInsert: { chosenBy, rounds: 0, createdAt: nowMs },
        ...(inclusion === null ? {} : { $max: { inclusion } }),
      },
      upsert: true,
    },
  };
}
