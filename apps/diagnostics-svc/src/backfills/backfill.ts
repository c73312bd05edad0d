import type { NewRuleBackfill, RequestedRuleBackfill, RuleBackfill as BackfillView } from '@clew/contracts';
import { derivedId, newId } from '@clew/kernel';

/** A Rule that is run on the conversations of a window, page by page. */
export interface RuleBackfill extends NewRuleBackfill {
  id: string;
  projectId: string;
  ruleId: string;
  requestId: string;
  state: 'scheduled' | 'running' | 'completed' | 'cancelled';
  /** Where the next page begins; null before the first one. */
  cursor: string | null;
  conversationsSeen: number;
  runsQueued: number;
  createdAt: number;
  endedAt: number | null;
  /** Set where it was given up after many attempts. */
  givenUpAt?: number | null;
}

export interface BackfillRequest extends NewRuleBackfill {
  projectId: string;
  ruleId: string;
  requestId: string;
  /** With the same one for the same Rule and window, it is the same backfill. */
  key: string | undefined;
}

/** What a page has come to. */
export interface Page {
  conversationsSeen: number;
  runsQueued: number;
  nextCursor: string | null;
}

export function newBackfill({ key, ...request }: BackfillRequest, nowMs: number): RuleBackfill {
  const { projectId, ruleId, startMs, endMs } = request;
  const id =
    key === undefined ? newId('rbfill') : derivedId('rbfill', projectId, ruleId, String(startMs), String(endMs), key);
  return {
    ...{ id, ...request, state: 'scheduled', cursor: null },
    ...{ conversationsSeen: 0, runsQueued: 0, createdAt: nowMs, endedAt: null },
  };
}

/** How many conversations the next page may have. */
export function roomOf({ maxConversations, conversationsSeen }: RuleBackfill): number {
  return Math.max(0, maxConversations - conversationsSeen);
}

/** The backfill after a page; its last one ends it. */
export function afterPage(backfill: RuleBackfill, page: Page, nowMs: number): RuleBackfill {
  const next: RuleBackfill = {
    ...backfill,
    state: 'running',
    cursor: page.nextCursor,
    conversationsSeen: backfill.conversationsSeen + page.conversationsSeen,
    runsQueued: backfill.runsQueued + page.runsQueued,
  };
  const isLast = page.nextCursor === null || roomOf(next) === 0;
  return isLast ? { ...next, state: 'completed', endedAt: nowMs } : next;
}

/** The Rule was switched off, or is not there any more: what is queued stays, nothing more is queued. */
export function cancelled(backfill: RuleBackfill, nowMs: number): RuleBackfill {
  return { ...backfill, state: 'cancelled', endedAt: nowMs };
}

export function requestedView({ id, maxConversations, runsQueued }: RuleBackfill): RequestedRuleBackfill {
  return { backfillId: id, scheduled: true, maxConversations, runsQueued };
}

export function backfillView(backfill: RuleBackfill): BackfillView {
  const { id: backfillId, ruleId, startMs, endMs, maxConversations, conversationsSeen, runsQueued } = backfill;
  const givenUpAt = backfill.givenUpAt ?? null;
  return {
    ...{ backfillId, ruleId, state: givenUpAt === null ? backfill.state : 'failed' },
    ...{ startMs, endMs, maxConversations, conversationsSeen, runsQueued },
    ...{ createdAt: backfill.createdAt, endedAt: givenUpAt ?? backfill.endedAt },
  };
}
