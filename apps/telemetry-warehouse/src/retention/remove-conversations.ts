import type { Database } from '@clew/persistence';
import { conversationCollection } from '../conversations/index.ts';
import type { HourStore } from '../hours/index.ts';
import { scoreCollection } from '../scores/index.ts';
import { chunkId, snapshotChunkCollection, snapshotCollection } from '../snapshots/index.ts';
import { BY_ID } from './mechanism.ts';
import type { Removed } from './sweep.model.ts';

/**
 * Removes conversations with their snapshots and scores, in one transaction; a conversation that has received records
 * meanwhile stays whole.
 */
export type RemoveConversations = (
  projectId: string,
  conversationIds: readonly string[],
  only: { receivedBefore: number },
) => Promise<Removed>;

export function createRemoveConversations(database: Database, hours: Pick<HourStore, 'discount'>): RemoveConversations {
  const conversations = conversationCollection(database.connection);
  const snapshots = snapshotCollection(database.connection);
  const chunks = snapshotChunkCollection(database.connection);
  const scores = scoreCollection(database);

  return async (projectId, conversationIds, { receivedBefore }) =>
    await database.withTransaction(async (tx) => {
      const filter = { projectId, receivedAt: { $lt: receivedBefore } };
      const named = { ...filter, _id: { $in: conversationIds.map((id) => `${projectId}:${id}`) } };
      const left = await conversations
        .find(named, { ...BY_ID, session: tx, projection: { conversationId: 1 } })
        .toArray();
      const ids = left.map(({ conversationId }) => conversationId);
      const ofThese = { projectId, conversationId: { $in: ids } };
      const large = await snapshots
        .find({ ...ofThese, chunkCount: { $gt: 0 } }, { session: tx, projection: { chunkCount: 1 } })
        .toArray();
      const chunkIds = large.flatMap(({ _id, chunkCount }) =>
        Array.from({ length: chunkCount }, (_, index) => chunkId(_id, index)),
      );
      const keys = left.map(({ _id }) => _id);
      await hours.discount(tx, keys);
      const deleted = await conversations.deleteMany({ _id: { $in: keys } }, { session: tx });
      await chunks.deleteMany({ _id: { $in: chunkIds } }, { session: tx });
      const goneSnapshots = await snapshots.deleteMany(ofThese, { session: tx });
      const goneScores = await scores.deleteMany(ofThese, { session: tx });
      return {
        conversations: deleted.deletedCount,
        snapshots: goneSnapshots.deletedCount,
        scores: goneScores.deletedCount,
      };
    });
}
