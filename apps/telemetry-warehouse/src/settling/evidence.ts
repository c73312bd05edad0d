import { derivedId, sha256Hex } from '@clew/kernel';
import type { AssembledFields, KnownConversation } from '../conversations/conversations.store.ts';
import type { SnapshotHead } from '../snapshots/snapshot.model.ts';
import { snapshotText } from '../snapshots/snapshots.store.ts';
import { isEmpty, type Assembled } from './assembled.ts';

/** What a snapshot of a whole conversation would hold. */
export interface Evidence {
  head: Omit<SnapshotHead, 'revision'>;
  /** The JSON text of its messages, tools and scores. */
  text: string;
  isSilent: boolean;
  /** Of all this: where it differs, the snapshot is another one. */
  hash: string;
}

export function evidenceOf(conversation: KnownConversation, assembled: Assembled): Evidence {
  const { projectId, conversationId } = conversation;
  const { contentHash, agents, models, userId, truncated } = assembled;
  const { startedAt, lastActivityAt } = isEmpty(assembled) ? conversation : assembled;
  const head: Evidence['head'] = {
    ...{ projectId, conversationId, contentHash, scope: 'conversation', startedAt, throughMs: lastActivityAt },
    ...{ agents, models, userId, truncated },
  };
  const text = snapshotText(assembled);
  const hash = sha256Hex(JSON.stringify(head) + text);
  return { head, text, isSilent: assembled.messages.length === 0, hash };
}

/**
 * Which snapshot is the latest with this evidence. None is made of nothing, but a conversation that had one and has lost
 * what it said gets an empty one, so that what was derived from it is replaced.
 *
 * The revision is part of a snapshot's identity: a conversation that comes back to what it said before is a later state,
 * and replaces what was derived from the state between.
 */
export function nextSnapshot(
  conversation: KnownConversation,
  { head, hash, isSilent }: Evidence,
): Pick<AssembledFields, 'snapshotId' | 'contentHash' | 'evidenceHash' | 'revision'> {
  const { projectId, conversationId, snapshotId, contentHash, evidenceHash, revision } = conversation;
  if (evidenceHash === hash || (isSilent && revision === 0)) return { snapshotId, contentHash, evidenceHash, revision };
  const next = revision + 1;
  return {
    snapshotId: derivedId('cesr', projectId, conversationId, String(next), hash),
    contentHash: head.contentHash,
    evidenceHash: hash,
    revision: next,
  };
}
