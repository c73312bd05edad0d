import { derivedId, newId, type DerivedIdPrefix, type RandomIdPrefix } from '@clew/kernel';

/** A time window of conversations that are gone through page by page, the oldest first. */
export interface WindowBackfill extends BackfillWindow {
  projectId: string;
  requestId: string;
  state: 'scheduled' | 'running' | 'completed' | 'failed' | 'cancelled';
  /** Where the next page begins; null before the first one, and after the last. */
  cursor: string | null;
  conversationsSeen: number;
  failureReason: string | null;
  createdAt: number;
  endedAt: number | null;
}

/** Both ends are inclusive. */
export interface BackfillWindow {
  startMs: number;
  endMs: number;
  maxConversations: number;
}

/** A page of a window. */
export interface WindowPage {
  conversationsSeen: number;
  nextCursor: string | null;
}

/** Names a backfill: with a key always the same one for its owner and window, without one another each time. */
export function backfillIdOf(
  prefix: RandomIdPrefix & DerivedIdPrefix,
  ownerId: string,
  { projectId, startMs, endMs, key }: BackfillWindow & { projectId: string; key: string | undefined },
): string {
  if (key === undefined) return newId(prefix);
  return derivedId(prefix, projectId, ownerId, String(startMs), String(endMs), key);
}

/** The fields of a backfill that has not begun. */
export function notBegun(nowMs: number) {
  return {
    state: 'scheduled',
    cursor: null,
    conversationsSeen: 0,
    failureReason: null,
    createdAt: nowMs,
    endedAt: null,
  } as const;
}

export function hasEnded({ state }: Pick<WindowBackfill, 'state'>): boolean {
  return state !== 'scheduled' && state !== 'running';
}

/** Counts the conversations that the next page may have. */
export function roomOf({ maxConversations, conversationsSeen }: WindowBackfill): number {
  return Math.max(0, maxConversations - conversationsSeen);
}

/** The backfill after a page, and whether it was the last one. */
export function afterWindowPage<Backfill extends WindowBackfill>(
  backfill: Backfill,
  { conversationsSeen, nextCursor }: WindowPage,
): { next: Backfill; isLast: boolean } {
  const next: Backfill = {
    ...backfill,
    state: 'running',
    cursor: nextCursor,
    conversationsSeen: backfill.conversationsSeen + conversationsSeen,
  };
  return { next, isLast: nextCursor === null || roomOf(next) === 0 };
}

export function completed<Backfill extends WindowBackfill>(backfill: Backfill, nowMs: number): Backfill {
  return hasEnded(backfill) ? backfill : { ...backfill, state: 'completed', endedAt: nowMs };
}

/** Ends a backfill early: what it has asked for stays, nothing more is asked for. */
export function cancelled<Backfill extends WindowBackfill>(backfill: Backfill, nowMs: number): Backfill {
  return hasEnded(backfill) ? backfill : { ...backfill, state: 'cancelled', endedAt: nowMs };
}

export function failed<Backfill extends WindowBackfill>(backfill: Backfill, reason: string, nowMs: number): Backfill {
  return hasEnded(backfill) ? backfill : { ...backfill, state: 'failed', failureReason: reason, endedAt: nowMs };
}
