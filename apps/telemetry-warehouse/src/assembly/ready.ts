import type { AssembledFields, KnownConversation } from '../conversations/index.ts';
import type { Assembled } from './assembled.ts';
import type { Evidence } from './evidence.ts';

type Next = Pick<AssembledFields, 'snapshotId' | 'revision' | 'listed'>;
type Ready = Pick<AssembledFields, 'ready' | 'readyThroughMs'>;

/**
 * Snapshot with which a conversation was last ready: the latest one if the save has a claim, whether announced or not;
 * otherwise the previous one stays. Null if the conversation is in no list any more.
 */
export function readyOf(
  conversation: KnownConversation,
  { messages, messagesHash }: Assembled,
  { head }: Evidence,
  { snapshotId, revision, listed, isSettled }: Next & { isSettled: boolean },
): Ready {
  const { ready, readyThroughMs } = conversation;
  if (!isSettled) return { ready, readyThroughMs };
  if (snapshotId === null || !listed) return { ready: null, readyThroughMs: null };
  const { contentHash, startedAt, throughMs, agents } = head;
  const messageCount = messages.length;
  return {
    ready: { snapshotId, contentHash, messagesHash, revision, startedAt, messageCount, agents },
    readyThroughMs: throughMs,
  };
}
