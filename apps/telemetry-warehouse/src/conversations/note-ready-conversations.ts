import type { mongo } from 'mongoose';
import type { ConversationDocument } from './conversation.model.ts';

/**
 * Notes with which snapshot each conversation was ready, where that is not noted yet. Its times are those of the
 * conversation: one that has gone on since is due, and noted anew soon. What its messages say was not hashed apart from
 * scores then; the hash of both stands for it.
 */
export async function noteReadyConversations(conversations: mongo.Collection<ConversationDocument>): Promise<void> {
  const wasReady = { $and: ['$listed', { $gt: ['$readyHash', null] }, { $gt: ['$snapshotId', null] }] };
  const ready = {
    ...{ snapshotId: '$snapshotId', contentHash: '$contentHash', messagesHash: '$contentHash' },
    ...{ revision: '$revision', startedAt: '$startedAt', messageCount: '$messageCount', agents: '$agents' },
  };
  await conversations.updateMany({ ready: { $exists: false } }, [
    {
      $set: {
        messagesHash: null,
        ready: { $cond: [wasReady, ready, null] },
        readyThroughMs: { $cond: [wasReady, '$lastActivityAt', null] },
      },
    },
  ]);
}
