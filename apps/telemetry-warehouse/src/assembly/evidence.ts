import type { ConversationSnapshot } from '@clew/contracts';
import { contentHashOf } from '@clew/conversation';
import { derivedId, sha256Hex } from '@clew/kernel';
import type { AssembledFields, KnownConversation } from '../conversations/index.ts';
import { scoredHashOf } from '../scores/index.ts';
import { snapshotText, withoutWords, type SnapshotContent, type SnapshotHead } from '../snapshots/index.ts';
import { isEmpty, type Assembled } from './assembled.ts';

/** Evidence of a whole conversation: the content of its snapshot. */
export interface Evidence {
  head: Omit<SnapshotHead, 'revision'>;
  /** JSON text of its messages, tools and scores. */
  text: string;
  isSilent: boolean;
  /** Hash of all this: a different hash means a different snapshot. */
  hash: string;
  /** True if the latest snapshot has the same content, though some of its words have expired. */
  isKept: boolean;
}

export function evidenceOf(conversation: KnownConversation, assembled: Assembled): Evidence {
  const { projectId, conversationId } = conversation;
  const { contentHash, agents, models, userId, truncated, earlier } = assembled;
  const { startedAt, lastActivityAt } = isEmpty(assembled) ? conversation : assembled;
  const head: Evidence['head'] = {
    ...{ projectId, conversationId, contentHash, scope: 'conversation', startedAt, throughMs: lastActivityAt },
    ...{ agents, models, userId, truncated },
  };
  const text = snapshotText(assembled);
  const hash = sha256Hex(JSON.stringify(head) + text);
  return {
    ...{ head, text, hash, isSilent: assembled.messages.length === 0 },
    isKept:
      earlier !== undefined && hasLostWords(earlier) && outlineOf(earlier, earlier) === outlineOf(head, assembled),
  };
}

function hasLostWords({ messages }: ConversationSnapshot): boolean {
  return messages.some(({ textExpired }) => textExpired);
}

/** Text that remains of a snapshot when all of its words have expired. */
function outlineOf(head: Evidence['head'], content: SnapshotContent): string {
  const { startedAt, throughMs, agents, models, userId, truncated } = head;
  const left = withoutWords(content);
  return (
    JSON.stringify([contentHashNow(left), startedAt, throughMs, agents, models, userId, truncated]) + snapshotText(left)
  );
}

function contentHashNow({ messages, scores }: SnapshotContent): string {
  return scoredHashOf(contentHashOf(messages), scores);
}

/**
 * Chooses the latest snapshot for this evidence. An empty conversation gets no snapshot, but one that had a snapshot
 * and has lost its content gets an empty one, so that data derived from it is replaced. Expired words change nothing.
 *
 * The revision is part of a snapshot's identity: a conversation that returns to earlier content is in a later state,
 * and replaces data derived from the state between.
 */
export function nextSnapshot(
  conversation: KnownConversation,
  { head, hash, isSilent, isKept }: Evidence,
): Pick<AssembledFields, 'snapshotId' | 'contentHash' | 'evidenceHash' | 'revision'> {
  const { projectId, conversationId, snapshotId, contentHash, evidenceHash, revision } = conversation;
  if (isKept) return { snapshotId, contentHash: head.contentHash, evidenceHash, revision };
  if (evidenceHash === hash || (isSilent && revision === 0)) return { snapshotId, contentHash, evidenceHash, revision };
  const next = revision + 1;
  return {
    snapshotId: derivedId('cesr', projectId, conversationId, String(next), hash),
    contentHash: head.contentHash,
    evidenceHash: hash,
    revision: next,
  };
}
