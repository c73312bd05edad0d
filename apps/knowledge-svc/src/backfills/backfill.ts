import type {
  KnowledgeBackfill as BackfillView,
  NewKnowledgeBackfill,
  Rejections,
  RequestedKnowledgeBackfill,
} from '@clew/contracts';
import { AppError } from '@clew/kernel';
import { addedUp, countOf } from '@clew/knowledge';
import {
  afterWindowPage,
  backfillIdOf,
  completed,
  hasEnded,
  notBegun,
  type WindowBackfill,
  type WindowPage,
} from '@clew/persistence';

/** Stored backfill: extraction for one goal from the conversations of a time window. */
export interface StoredBackfill extends WindowBackfill {
  goalId: string;
  /** Whether all pages were queued, so that only their extractions are still awaited. */
  isPaged: boolean;
  pagesDone: number;
  conversationsPending: number;
  conversationsFailed: number;
  itemsCreated: number;
  itemsMerged: number;
  rejectedQuotes: number;
  rejected: Rejections;
}

export interface KnowledgeBackfill extends StoredBackfill {
  id: string;
}

export interface BackfillRequest extends NewKnowledgeBackfill {
  projectId: string;
  goalId: string;
  requestId: string;
  /** Idempotency key: a request with the same key, goal and window names the same backfill. */
  key: string | undefined;
}

/** Result of one page. */
export interface Page extends WindowPage {
  /** Conversations of the page that are still to be read. */
  conversationsPending: number;
}

/** Sum of the results of some extractions. */
export interface Progress {
  ended: number;
  failed: number;
  itemsCreated: number;
  itemsMerged: number;
  rejected: Rejections;
}

export function newBackfill({ key, ...request }: BackfillRequest, nowMs: number): KnowledgeBackfill {
  const id = backfillIdOf('kbfill', request.goalId, { ...request, key });
  return {
    ...{ id, ...request, ...notBegun(nowMs), isPaged: false, pagesDone: 0 },
    ...{ conversationsPending: 0, conversationsFailed: 0 },
    ...{ itemsCreated: 0, itemsMerged: 0, rejectedQuotes: 0, rejected: {} },
  };
}

/** Backfill after a page. */
export function afterPage<Backfill extends StoredBackfill>(backfill: Backfill, page: Page, nowMs: number): Backfill {
  if (hasEnded(backfill)) return backfill;
  const { next, isLast: isPaged } = afterWindowPage(backfill, page);
  const conversationsPending = backfill.conversationsPending + page.conversationsPending;
  return unlessPending({ ...next, isPaged, pagesDone: backfill.pagesDone + 1, conversationsPending }, nowMs);
}

/** Backfill after extractions that it waited for have ended. Once it has ended itself, it counts no more of them. */
export function afterExtractions(backfill: KnowledgeBackfill, progress: Progress, nowMs: number): KnowledgeBackfill {
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
  return unlessPending(next, nowMs);
}

/** Completes a backfill whose pages are all queued and that has no pending conversation. */
function unlessPending<Backfill extends StoredBackfill>(backfill: Backfill, nowMs: number): Backfill {
  return backfill.isPaged && backfill.conversationsPending === 0 ? completed(backfill, nowMs) : backfill;
}

/** Refuses a goal that is not active, because only an active goal gets extractions. */
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
