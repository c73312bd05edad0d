import type {
  KnowledgeBackfill as BackfillView,
  NewKnowledgeBackfill,
  Rejections,
  RequestedKnowledgeBackfill,
} from '@clew/contracts';
import { AppError, derivedId, newId } from '@clew/kernel';
import { addedUp, countOf } from '@clew/knowledge';

/** A goal that is read for in the conversations of a window, page by page. */
export interface KnowledgeBackfill extends NewKnowledgeBackfill {
  id: string;
  projectId: string;
  goalId: string;
  requestId: string;
  state: 'scheduled' | 'running' | 'completed' | 'failed' | 'cancelled';
  /** Where the next page begins; null before the first one, and after the last. */
  cursor: string | null;
  /** Whether all pages are done, and it waits for what they asked for. */
  isPaged: boolean;
  pagesDone: number;
  conversationsSeen: number;
  conversationsPending: number;
  conversationsFailed: number;
  itemsCreated: number;
  itemsMerged: number;
  rejectedQuotes: number;
  rejected: Rejections;
  failureReason: string | null;
  createdAt: number;
  endedAt: number | null;
}

export interface BackfillRequest extends NewKnowledgeBackfill {
  projectId: string;
  goalId: string;
  requestId: string;
  /** With the same one for the same goal and window, it is the same backfill. */
  key: string | undefined;
}

/** What a page has come to. */
export interface Page {
  conversationsSeen: number;
  /** Of them those that are to be read yet. */
  conversationsPending: number;
  nextCursor: string | null;
}

/** What the end of some readings has come to. */
export interface Progress {
  ended: number;
  failed: number;
  itemsCreated: number;
  itemsMerged: number;
  rejected: Rejections;
}

export function newBackfill({ key, ...request }: BackfillRequest, nowMs: number): KnowledgeBackfill {
  const { projectId, goalId, startMs, endMs } = request;
  const window = [String(startMs), String(endMs)];
  const id = key === undefined ? newId('kbfill') : derivedId('kbfill', projectId, goalId, ...window, key);
  return {
    ...{ id, ...request, state: 'scheduled', cursor: null, isPaged: false, pagesDone: 0 },
    ...{ conversationsSeen: 0, conversationsPending: 0, conversationsFailed: 0 },
    ...{ itemsCreated: 0, itemsMerged: 0, rejectedQuotes: 0, rejected: {}, failureReason: null },
    ...{ createdAt: nowMs, endedAt: null },
  };
}

export function hasEnded({ state }: Pick<KnowledgeBackfill, 'state'>): boolean {
  return state !== 'scheduled' && state !== 'running';
}

/** How many conversations the next page may have. */
export function roomOf({ maxConversations, conversationsSeen }: KnowledgeBackfill): number {
  return Math.max(0, maxConversations - conversationsSeen);
}

/** The backfill after a page. */
export function afterPage(backfill: KnowledgeBackfill, page: Page, nowMs: number): KnowledgeBackfill {
  if (hasEnded(backfill)) return backfill;
  const next: KnowledgeBackfill = {
    ...backfill,
    state: 'running',
    cursor: page.nextCursor,
    pagesDone: backfill.pagesDone + 1,
    conversationsSeen: backfill.conversationsSeen + page.conversationsSeen,
    conversationsPending: backfill.conversationsPending + page.conversationsPending,
  };
  return completed({ ...next, isPaged: page.nextCursor === null || roomOf(next) === 0 }, nowMs);
}

/** The backfill after readings that it waited for have ended. What comes after its own end is counted no more. */
export function afterReadings(backfill: KnowledgeBackfill, progress: Progress, nowMs: number): KnowledgeBackfill {
  if (hasEnded(backfill)) return backfill;
  const next: KnowledgeBackfill = {
    ...backfill,
    conversationsPending: Math.max(0, backfill.conversationsPending - progress.ended),
    conversationsFailed: backfill.conversationsFailed + progress.failed,
    itemsCreated: backfill.itemsCreated + progress.itemsCreated,
    itemsMerged: backfill.itemsMerged + progress.itemsMerged,
    rejectedQuotes: backfill.rejectedQuotes + countOf(progress.rejected),
    rejected: addedUp(backfill.rejected, progress.rejected),
  };
  return completed(next, nowMs);
}

function completed(backfill: KnowledgeBackfill, nowMs: number): KnowledgeBackfill {
  if (!backfill.isPaged || backfill.conversationsPending > 0) return backfill;
  return { ...backfill, state: 'completed', endedAt: nowMs };
}

export function cancelled(backfill: KnowledgeBackfill, nowMs: number): KnowledgeBackfill {
  return hasEnded(backfill) ? backfill : { ...backfill, state: 'cancelled', endedAt: nowMs };
}

export function failed(backfill: KnowledgeBackfill, reason: string, nowMs: number): KnowledgeBackfill {
  return hasEnded(backfill) ? backfill : { ...backfill, state: 'failed', failureReason: reason, endedAt: nowMs };
}

/** Only an active goal is read for. */
export function requireActive(status: string): void {
  if (status !== 'active') throw new AppError('CONFLICT', `The goal is ${status}: only an active one is backfilled`);
}

export function requestedView({ id, maxConversations }: KnowledgeBackfill): RequestedKnowledgeBackfill {
  return { backfillId: id, scheduled: true, maxConversations };
}

export function backfillView(backfill: KnowledgeBackfill): BackfillView {
  const { id, projectId: _project, requestId: _request, cursor: _cursor, isPaged: _paged, ...fields } = backfill;
  return { backfillId: id, ...fields };
}
