import type { ReadyConversation } from '@clew/contracts';
import type { ClaimedRow } from '@clew/persistence';
import type { AssembledSave, KnownConversation } from '../conversations/index.ts';
import type { NewSnapshot } from '../snapshots/index.ts';
import { callChangesOf } from './call-changes.ts';
import { describeAssembled, tracesOf, type Assembled } from './assembled.ts';
import { evidenceOf, nextSnapshot } from './evidence.ts';
import { readyOf } from './ready.ts';

/** What is to be written of a conversation that was assembled. */
export interface PlannedSave extends AssembledSave {
  projectId: string;
  conversation: KnownConversation;
  /** Present where it is another one than the latest. */
  snapshot?: NewSnapshot;
  /** Present where it is to be announced. */
  ready?: ReadyConversation;
  /** Something would be changed by it. */
  isNeeded: boolean;
}

const MAX_EVENT_TRACES = 100;

/** Only a claim settles a conversation: what is saved before it is quiet is not announced yet. */
export function planSave(
  conversation: KnownConversation,
  assembled: Assembled,
  claimed: ClaimedRow | undefined,
): PlannedSave {
  const { projectId } = conversation;
  const isSettled = claimed !== undefined;
  const evidence = evidenceOf(conversation, assembled);
  const next = nextSnapshot(conversation, evidence);
  const { snapshotId, contentHash, revision } = next;
  const isNew = snapshotId !== null && revision > conversation.revision;
  const isNews = contentHash !== null && contentHash !== conversation.readyHash;
  const readyHash = !isNews ? conversation.readyHash : isSettled ? contentHash : null;
  const head = { ...evidence.head, revision };
  const messageCount = assembled.messages.length;
  const snapshot = isNew ? { snapshotId, head, messageCount, text: evidence.text } : undefined;
  const ready =
    snapshotId !== null && isNews && isSettled
      ? {
          ...{ conversationId: head.conversationId, snapshotId, contentHash: head.contentHash, revision, messageCount },
          ...{ messagesHash: assembled.messagesHash, startedAt: head.startedAt, lastActivityAt: head.throughMs },
          traceIds: tracesOf(assembled).slice(0, MAX_EVENT_TRACES),
        }
      : undefined;
  const described = describeAssembled(assembled, conversation);
  const wasReady = readyOf(conversation, assembled, evidence, { ...described, ...next, isSettled });
  return {
    ...{ projectId, conversation, seen: conversation, claimed, isNeeded: isNew || isSettled },
    fields: { ...described, ...next, ...wasReady, readyHash },
    calls: callChangesOf(conversation, assembled.sharedCalls),
    ...(snapshot === undefined ? {} : { snapshot }),
    ...(ready === undefined ? {} : { ready }),
  };
}
