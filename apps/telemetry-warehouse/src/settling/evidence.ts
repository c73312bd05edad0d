import type { ConversationSnapshot } from '@clew/contracts';
import { contentHashOf } from '@clew/conversation';
import { derivedId, sha256Hex } from '@clew/kernel';
import type { AssembledFields, KnownConversation } from '../conversations/index.ts';
import { scoredHashOf } from '../scores/index.ts';
import { snapshotText, withoutWords, type SnapshotContent, type SnapshotHead } from '../snapshots/index.ts';
import { isEmpty, type Assembled } from './assembled.ts';

/** What a snapshot of a whole conversation would hold. */
export interface Evidence {
  head: Omit<SnapshotHead, 'revision'>;
  /** The JSON text of its messages, tools and scores. */
  text: string;
  isSilent: boolean;
  /** Of all this: where it differs, the snapshot is another one. */
  hash: string;
  /** The latest snapshot holds it, though some of the words have expired there. */
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

/** What is left of a snapshot when all of its words have expired. */
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
 * Which snapshot is the latest with this evidence. None is made of nothing, but a conversation that had one and has lost
 * what it said gets an empty one, so that what was derived from it is replaced. Words that expire change nothing.
 *
 * The revision is part of a snapshot's identity: a conversation that comes back to what it said before is a later state,
 * and replaces what was derived from the state between.
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
