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

/** Change of an asked row that waits again. */
export interface PutBack {
  dueAt: number;
  failures: number;
  awaySince?: number;
}

/** Reviews of a project: that of one conversation, or all of them. */
export interface WhichReview {
  conversationId?: string;
}

export type WaitingReview = Pick<ReviewDocument, 'wantedFrom' | 'awaySince'>;

/** Reviews: tasks and records in one. */
export interface ReviewStore {
  /** Snapshots that were chosen of some conversations, by conversation. */
  snapshotsOf(
    tx: Transaction,
    projectId: string,
    conversationIds: readonly string[],
  ): Promise<ReadonlyMap<string, string>>;
  /** Makes reviews due. Of two draws of a conversation, the higher probability holds. */
  want(tx: Transaction, wanted: readonly WantedReview[]): Promise<void>;
  get(tx: Transaction, id: string): Promise<ReviewDocument | null>;
  /** Reads rows by id. */
  getMany(tx: Transaction, ids: readonly string[]): Promise<ReadonlyMap<string, ReviewDocument>>;
  /** Ends claimed rows without a result; throws a ClaimLostError if another process has taken one over. */
  end(tx: Transaction, claimed: readonly ClaimedReview[]): Promise<void>;
  /** Marks claimed rows as asked, and counts the round, unless a newer snapshot is wanted by now. */
  asked(tx: Transaction, claimed: readonly ClaimedReview[]): Promise<void>;
  /** Notes since when the model of a row is away. */
  noteAway(tx: Transaction, id: string, awaySince: number): Promise<void>;
  /** Makes an asked row due again at a later time. */
  putBack(tx: Transaction, id: string, change: PutBack): Promise<void>;
  /** Ends an asked row without a result, unless that was done already. */
  endAsked(tx: Transaction, id: string): Promise<void>;
  /** Stores results; a row that waits for a newer snapshot stays due. */
  keep(tx: Transaction, kept: readonly KeptReview[]): Promise<void>;
  /** Review that waits the longest, among those that match; one of a conversation that is not quiet yet does not. */
  waiting(projectId: string, some: WhichReview, nowMs: number): Promise<WaitingReview | undefined>;
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
    async want(tx, wanted) {
      const writes = wanted.map(wantedWrite);
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
    async noteAway(tx, id, awaySince) {
      await reviews.updateOne({ _id: id }, { $set: { awaySince } }, { session: tx });
    },
    async putBack(tx, id, change) {
      const set = { state: 'due' as const, ...change };
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
        {
          updateOne: {
            filter: { _id, snapshotId: review.result.snapshotId },
            update: { $set: done, $unset: { awaySince: 1 } },
          },
        },
      ]);
      await reviews.bulkWrite(writes, { session: tx });
    },
    async waiting(projectId, some, nowMs) {
      const filter = { projectId, state: 'due' as const, ...some, wantedFrom: { $lte: nowMs } };
      const projection = { wantedFrom: 1, awaySince: 1 };
      return (await reviews.findOne(filter, { sort: { wantedFrom: 1 }, projection })) ?? undefined;
    },
  };
}

function wantedWrite({
  projectId,
  conversationId,
  snapshotId,
  requestId,
  chosenBy,
  inclusion,
  dueAt,
}: WantedReview): mongo.AnyBulkWriteOperation<ReviewDocument> {
  const filter = { _id: reviewIdOf(projectId, conversationId), projectId, conversationId };
  return {
    updateOne: {
      filter,
      update: {
        $set: { snapshotId, requestId, state: 'due' as const, dueAt, wantedFrom: dueAt, failures: 0 },
        $unset: { awaySince: 1 },
        $setOnInsert: { chosenBy, rounds: 0 },
        ...(inclusion === null ? {} : { $max: { inclusion } }),
      },
      upsert: true,
    },
  };
}
