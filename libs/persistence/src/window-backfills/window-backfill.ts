import { derivedId, newId, type DerivedIdPrefix, type RandomIdPrefix } from '@clew/kernel';

/** Time window of conversations that is processed page by page, the oldest first. */
export interface WindowBackfill extends BackfillWindow {
  projectId: string;
  requestId: string;
  state: 'scheduled' | 'running' | 'completed' | 'failed' | 'cancelled';
  /** Start of the next page; null before the first page and after the last. */
  cursor: string | null;
  conversationsSeen: number;
  failureReason: string | null;
  createdAt: number;
  endedAt: number | null;
}

/** Window of a backfill; both ends are inclusive. */
export interface BackfillWindow {
  startMs: number;
  endMs: number;
  maxConversations: number;
}

/** One page of a window. */
export interface WindowPage {
  conversationsSeen: number;
  nextCursor: string | null;
}

/** Computes the id of a backfill: with a key, the same for an owner and window each time; without one, a new one. */
export function backfillIdOf(
  prefix: RandomIdPrefix & DerivedIdPrefix,
  ownerId: string,
  { projectId, startMs, endMs, key }: BackfillWindow & { projectId: string; key: string | undefined },
): string {
  if (key === undefined) return newId(prefix);
  return derivedId(prefix, projectId, ownerId, String(startMs), String(endMs), key);
}

/** Initial fields of a backfill. */
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

/** Counts the conversations that the next page may contain. */
export function roomOf({ maxConversations, conversationsSeen }: WindowBackfill): number {
  return Math.max(0, maxConversations - conversationsSeen);
}

/** Computes the backfill after a page, and whether that page was the last. */
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

/** Ends a backfill early: requests already made stay, no more are made. */
export function cancelled<Backfill extends WindowBackfill>(backfill: Backfill, nowMs: number): Backfill {
  return hasEnded(backfill) ? backfill : { ...backfill, state: 'cancelled', endedAt: nowMs };
}

export function failed<Backfill extends WindowBackfill>(backfill: Backfill, reason: string, nowMs: number): Backfill {
  return hasEnded(backfill) ? backfill : { ...backfill, state: 'failed', failureReason: reason, endedAt: nowMs };
}
