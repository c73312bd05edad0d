import type { WorkItem } from '@clew/contracts';
import type { Database, Transaction } from '@clew/persistence';
import { placeOf, walkIdOf, type PlacedIssue } from './place.ts';
import { followedCollection, walkCollection, type FollowedDocument, type WalkDocument } from './walk.model.ts';

/** Work item whose issue is known. */
export type FollowedItem = PlacedIssue &
  Pick<WorkItem, 'id' | 'connectorId' | 'provider'> & { projectId: string; createdAt: number };

export interface WalkStore {
  /** Has the issue of a work item kept in sync, in the transaction that writes where it is. */
  follow(tx: Transaction, item: FollowedItem, nowMs: number): Promise<void>;
  /** Issues of a walk that were not seen since that time, the longest first. */
  unseen(walk: WalkDocument, sinceMs: number, limit: number): Promise<FollowedDocument[]>;
  seen(projectId: string, workItemIds: readonly string[], nowMs: number): Promise<void>;
  /** Whether the walk has any issue left. */
  hasIssues(tx: Transaction, walk: WalkDocument): Promise<boolean>;
  unfollow(projectId: string, workItemIds: readonly string[]): Promise<void>;
  /** Writes fields of a walk, in the transaction that settles it. */
  change(tx: Transaction, walk: WalkDocument, fields: Partial<WalkDocument>): Promise<void>;
  /** Removes a walk; its issues go with it. */
  remove(tx: Transaction, walk: WalkDocument): Promise<void>;
}

/** Changes before the creation of a work item that are still listed: the issue may have existed before. */
const HEAD_START_MS = 10 * 60_000;

export function createWalkStore({ connection }: Database): WalkStore {
  const walks = walkCollection(connection);
  const followed = followedCollection(connection);
  return {
    async follow(tx, item, nowMs) {
      const { id, projectId, connectorId, provider } = item;
      const place = placeOf(item);
      const walkId = walkIdOf(connectorId, place);
      const fresh = {
        ...{ projectId, connectorId, provider, place, sinceMs: nowMs - HEAD_START_MS },
        ...{ cursor: null, failures: 0, problem: null, walkedAt: null, dueAt: nowMs },
      };
      const update = { $setOnInsert: fresh, $max: { followedAt: nowMs } };
      await walks.updateOne({ _id: walkId, projectId }, update, { session: tx, upsert: true });
      const fields = { projectId, walkId, checkedAt: nowMs };
      await followed.updateOne({ _id: id, projectId }, { $set: fields }, { session: tx, upsert: true });
    },
    unseen: ({ _id: walkId, projectId }, sinceMs, limit) =>
      followed
        .find({ projectId, walkId, checkedAt: { $lte: sinceMs } })
        .sort({ checkedAt: 1 })
        .limit(limit)
        .toArray(),
    async seen(projectId, workItemIds, nowMs) {
      if (workItemIds.length === 0) return;
      await followed.updateMany({ projectId, _id: { $in: [...workItemIds] } }, { $max: { checkedAt: nowMs } });
    },
    async hasIssues(tx, { _id: walkId, projectId }) {
      return (await followed.findOne({ projectId, walkId }, { session: tx, projection: { _id: 1 } })) !== null;
    },
    async unfollow(projectId, workItemIds) {
      if (workItemIds.length > 0) await followed.deleteMany({ projectId, _id: { $in: [...workItemIds] } });
    },
    async change(tx, { _id, projectId }, fields) {
      await walks.updateOne({ _id, projectId }, { $set: fields }, { session: tx });
    },
    async remove(tx, { _id, projectId }) {
      await walks.deleteOne({ _id, projectId }, { session: tx });
      await followed.deleteMany({ projectId, walkId: _id }, { session: tx });
    },
  };
}
