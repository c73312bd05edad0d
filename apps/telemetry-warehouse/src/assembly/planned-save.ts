import type { ReadyConversation } from '@clew/contracts';
import type { ClaimedTask } from '@clew/persistence';
import type { AssembledSave, KnownConversation } from '../conversations/index.ts';
import type { NewSnapshot } from '../snapshots/index.ts';
import { callChangesOf } from './call-changes.ts';
import { describeAssembled, tracesOf, type Assembled } from './assembled.ts';
import { evidenceOf, nextSnapshot } from './evidence.ts';
import { readyOf } from './ready.ts';

/** Data to write for an assembled conversation. */
export interface PlannedSave extends AssembledSave {
  projectId: string;
  conversation: KnownConversation;
  /** Present if it differs from the latest one. */
  snapshot?: NewSnapshot;
  /** Present if it must be announced. */
  ready?: ReadyConversation;
  /** True if saving would change anything. */
  isNeeded: boolean;
}

const MAX_EVENT_TRACES = 100;

/**
 * Plans the save of an assembly. Only a save with a claim announces the conversation: without one, it is not quiet yet.
 */
export function planSave(
  conversation: KnownConversation,
  assembled: Assembled,
  claimed: ClaimedTask | undefined,
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
