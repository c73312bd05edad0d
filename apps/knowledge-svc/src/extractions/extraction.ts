import type { ReadyConversation } from '@clew/contracts';
import { derivedId } from '@clew/kernel';
import { afterLater, type LaterAnswer } from '@clew/persistence';
import { withRead } from './ledger.ts';

/** Ready conversation, in the state of its ready event. */
export type Ready = Pick<
  ReadyConversation,
  'conversationId' | 'snapshotId' | 'messagesHash' | 'revision' | 'lastActivityAt'
>;

/**
 * Extraction of one conversation for one revision of a goal: the messages that were read, and the snapshot still to
 * read. `due`: to be requested at its time, or as soon as its project has a turn; `asked`: a worker has it; `held`: its
 * goal is paused, its model is away, or its provider does not answer; `idle`: nothing is left to do.
 */
export interface Extraction {
  id: string;
  projectId: string;
  goalId: string;
  goalRevision: number;
  conversationId: string;
  snapshotId: string;
  snapshotRevision: number;
  messagesHash: string;
  lastActivityAt: number;
  requestId: string | null;
  state: 'due' | 'asked' | 'held' | 'idle';
  /** Time of the next look at it; null while it is idle. A request without a result by then counts as lost. */
  dueAt: number | null;
  /** Time since which there may be unread messages. */
  since: number;
  /** Backfills that wait for it. */
  backfillIds: string[];
  /** Snapshot of the latest request. */
  askedSnapshotId: string | null;
  rounds: number;
  failures: number;
  read: string;
  /** Hash of the messages when all of them had been read. */
  readHash: string | null;
}

export interface ExtractionTarget {
  projectId: string;
  goalId: string;
  goalRevision: number;
}

export function extractionIdOf({ projectId, goalId, goalRevision }: ExtractionTarget, conversationId: string): string {
  return derivedId('krd', projectId, goalId, String(goalRevision), conversationId);
}

/** Row after its conversation became ready; `undefined` if nothing about it changes. */
export function afterReady(
  known: Extraction | undefined,
  target: ExtractionTarget,
  ready: Ready,
  by: { backfillId: string | null; requestId: string | null; nowMs: number },
): Extraction | undefined {
  const { conversationId, snapshotId, revision: snapshotRevision, messagesHash, lastActivityAt } = ready;
  const { backfillId, requestId, nowMs } = by;
  const snapshot = { snapshotId, snapshotRevision, messagesHash, lastActivityAt, requestId };
  const waitedFor = backfillId === null ? [] : [backfillId];
  if (known === undefined) {
    return {
      ...{ id: extractionIdOf(target, conversationId), ...target, conversationId, ...snapshot },
      ...{ state: 'due', dueAt: nowMs, since: nowMs, backfillIds: waitedFor, askedSnapshotId: null },
      ...{ rounds: 0, failures: 0, read: '', readHash: null },
    };
  }
  const isNewer = snapshotRevision > known.snapshotRevision;
  const current: Extraction = isNewer ? { ...known, ...snapshot } : known;
  const isRead = current.state === 'idle' && current.readHash === current.messagesHash;
  // The snapshot is newer but the messages are the same: only a score, or late spans without text, were added.
  if (isRead) return isNewer ? current : undefined;
  const isWaitedForAlready = backfillId !== null && current.backfillIds.includes(backfillId);
  const backfillIds = isWaitedForAlready ? current.backfillIds : [...current.backfillIds, ...waitedFor];
  if (current.state === 'asked' || current.state === 'held') {
    return isNewer || backfillIds !== current.backfillIds ? { ...current, backfillIds } : undefined;
  }
  // An extraction that failed for good is retried for a backfill, or once the conversation goes on.
  if (current.state === 'idle' && !isNewer && backfillId === null) return undefined;
  const since = current.state === 'idle' ? nowMs : current.since;
  return { ...current, state: 'due', dueAt: nowMs, since, failures: 0, backfillIds };
}

/** Minimum of new tokens below which nothing is read yet. */
export function minNewTokensOf({ backfillIds, since }: Extraction, patience: Patience, nowMs: number): number {
  return backfillIds.length > 0 || nowMs >= since + patience.patienceMs ? 0 : patience.minNewTokens;
}

export interface Patience {
  patienceMs: number;
  minNewTokens: number;
}

export function asked(extraction: Extraction, forgottenAt: number): Extraction {
  const { snapshotId: askedSnapshotId, rounds } = extraction;
  return { ...extraction, state: 'asked', askedSnapshotId, rounds: rounds + 1, dueAt: forgottenAt };
}

/** Ends an extraction: nothing more is to be done for the backfills that wait. */
export function ended(extraction: Extraction): Extraction {
  return { ...extraction, state: 'idle', dueAt: null, backfillIds: [], failures: 0 };
}

/** Extraction after a worker has read all or part of the snapshot. */
export function afterRead(extraction: Extraction, newlyRead: string, isComplete: boolean, nowMs: number): Extraction {
  const read = withRead(extraction.read, newlyRead);
  const next = { ...extraction, read, failures: 0 };
  if (extraction.askedSnapshotId !== extraction.snapshotId)
    return { ...next, state: 'due', dueAt: nowMs, since: nowMs };
  if (!isComplete) return { ...next, state: 'due', dueAt: nowMs };
  return { ...ended(next), readHash: extraction.messagesHash };
}

/** Extraction after a worker found too few new tokens. */
export function afterWaiting(extraction: Extraction, { patienceMs }: Patience, nowMs: number): Extraction {
  const isChanged = extraction.askedSnapshotId !== extraction.snapshotId || extraction.backfillIds.length > 0;
  return { ...extraction, state: 'due', dueAt: isChanged ? nowMs : Math.max(nowMs, extraction.since + patienceMs) };
}

/** Extraction after a temporary failure; `undefined` after too many of them. */
export function afterFailure(extraction: Extraction, later: LaterAnswer, nowMs: number): Extraction | undefined {
  const again = afterLater(extraction, later, nowMs);
  return again === undefined ? undefined : { ...extraction, ...again, state: 'due' };
}
