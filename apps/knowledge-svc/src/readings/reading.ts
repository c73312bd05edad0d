import type { ReadyConversation } from '@clew/contracts';
import { derivedId } from '@clew/kernel';
import { afterLater, type LaterAnswer } from '@clew/persistence';
import { withRead } from './ledger.ts';

/** A conversation as it was when it was ready. */
export type Ready = Pick<
  ReadyConversation,
  'conversationId' | 'snapshotId' | 'messagesHash' | 'revision' | 'lastActivityAt'
>;

/**
 * What was read of one conversation for one revision of a goal, and what is to be read yet. `due`: to be asked for at its
 * time, or as soon as its project has a turn; `asked`: a worker has it; `held`: its goal is paused, its model away, or
 * its provider does not answer; `idle`: nothing is to be done.
 */
export interface Reading {
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
  /** When it is to be looked at; null while it is idle. An asked one is taken for forgotten then. */
  dueAt: number | null;
  /** Since when something may be unread. */
  since: number;
  /** The backfills that wait for it. */
  backfillIds: string[];
  /** The snapshot that was asked for last. */
  askedSnapshotId: string | null;
  rounds: number;
  failures: number;
  read: string;
  /** What the conversation said when all of it had been read. */
  readHash: string | null;
}

export interface ReadingTarget {
  projectId: string;
  goalId: string;
  goalRevision: number;
}

export function readingIdOf({ projectId, goalId, goalRevision }: ReadingTarget, conversationId: string): string {
  return derivedId('krd', projectId, goalId, String(goalRevision), conversationId);
}

/** The row of a conversation that is ready; undefined where nothing is to be read that is not known already. */
export function afterReady(
  known: Reading | undefined,
  target: ReadingTarget,
  ready: Ready,
  by: { backfillId: string | null; requestId: string | null; nowMs: number },
): Reading | undefined {
  const { conversationId, snapshotId, revision: snapshotRevision, messagesHash, lastActivityAt } = ready;
  const { backfillId, requestId, nowMs } = by;
  const snapshot = { snapshotId, snapshotRevision, messagesHash, lastActivityAt, requestId };
  const waitedFor = backfillId === null ? [] : [backfillId];
  if (known === undefined) {
    return {
      ...{ id: readingIdOf(target, conversationId), ...target, conversationId, ...snapshot },
      ...{ state: 'due', dueAt: nowMs, since: nowMs, backfillIds: waitedFor, askedSnapshotId: null },
      ...{ rounds: 0, failures: 0, read: '', readHash: null },
    };
  }
  const isNewer = snapshotRevision > known.snapshotRevision;
  const current: Reading = isNewer ? { ...known, ...snapshot } : known;
  const isRead = current.state === 'idle' && current.readHash === current.messagesHash;
  // Only its snapshot is another: a score, or late spans that say nothing.
  if (isRead) return isNewer ? current : undefined;
  const isWaitedForAlready = backfillId !== null && current.backfillIds.includes(backfillId);
  const backfillIds = isWaitedForAlready ? current.backfillIds : [...current.backfillIds, ...waitedFor];
  if (current.state === 'asked' || current.state === 'held') {
    return isNewer || backfillIds !== current.backfillIds ? { ...current, backfillIds } : undefined;
  }
  // What failed for good is tried again by what a person asks for, or when more is said.
  if (current.state === 'idle' && !isNewer && backfillId === null) return undefined;
  const since = current.state === 'idle' ? nowMs : current.since;
  return { ...current, state: 'due', dueAt: nowMs, since, failures: 0, backfillIds };
}

/** With fewer new tokens nothing is read yet. */
export function minNewTokensOf({ backfillIds, since }: Reading, patience: Patience, nowMs: number): number {
  return backfillIds.length > 0 || nowMs >= since + patience.patienceMs ? 0 : patience.minNewTokens;
}

export interface Patience {
  patienceMs: number;
  minNewTokens: number;
}

export function asked(reading: Reading, forgottenAt: number): Reading {
  const { snapshotId: askedSnapshotId, rounds } = reading;
  return { ...reading, state: 'asked', askedSnapshotId, rounds: rounds + 1, dueAt: forgottenAt };
}

/** Nothing more is to be done for whoever waits. */
export function ended(reading: Reading): Reading {
  return { ...reading, state: 'idle', dueAt: null, backfillIds: [], failures: 0 };
}

/** A worker has read it, or a part of it. */
export function afterRead(reading: Reading, newlyRead: string, isComplete: boolean, nowMs: number): Reading {
  const read = withRead(reading.read, newlyRead);
  const next = { ...reading, read, failures: 0 };
  if (reading.askedSnapshotId !== reading.snapshotId) return { ...next, state: 'due', dueAt: nowMs, since: nowMs };
  if (!isComplete) return { ...next, state: 'due', dueAt: nowMs };
  return { ...ended(next), readHash: reading.messagesHash };
}

/** Too little is new yet. */
export function afterWaiting(reading: Reading, { patienceMs }: Patience, nowMs: number): Reading {
  const isChanged = reading.askedSnapshotId !== reading.snapshotId || reading.backfillIds.length > 0;
  return { ...reading, state: 'due', dueAt: isChanged ? nowMs : Math.max(nowMs, reading.since + patienceMs) };
}

/** The reading after it could not be read now; undefined once that has happened too often. */
export function afterFailure(reading: Reading, later: LaterAnswer, nowMs: number): Reading | undefined {
  const again = afterLater(reading, later, nowMs);
  return again === undefined ? undefined : { ...reading, ...again, state: 'due' };
}
