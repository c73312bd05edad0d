import type { NewRuleBackfill, RequestedRuleBackfill, RuleBackfill as BackfillView } from '@clew/contracts';
import {
  afterWindowPage,
  backfillIdOf,
  completed,
  notBegun,
  type WindowBackfill,
  type WindowPage,
} from '@clew/persistence';

/** Stored backfill: one Rule on the conversations of a time window. */
export interface StoredBackfill extends WindowBackfill {
  ruleId: string;
  runsQueued: number;
}

export interface RuleBackfill extends StoredBackfill {
  id: string;
}

export interface BackfillRequest extends NewRuleBackfill {
  projectId: string;
  ruleId: string;
  requestId: string;
  /** Idempotency key: a request with the same key, Rule and window names the same backfill. */
  key: string | undefined;
}

/** Result of one page. */
export interface Page extends WindowPage {
  runsQueued: number;
}

export function newBackfill({ key, ...request }: BackfillRequest, nowMs: number): RuleBackfill {
  const id = backfillIdOf('rbfill', request.ruleId, { ...request, key });
  return { id, ...request, ...notBegun(nowMs), runsQueued: 0 };
}

/** Backfill after a page; the last page ends it. */
export function afterPage<Backfill extends StoredBackfill>(backfill: Backfill, page: Page, nowMs: number): Backfill {
  const { next, isLast } = afterWindowPage(backfill, page);
  const counted = { ...next, runsQueued: backfill.runsQueued + page.runsQueued };
  return isLast ? completed(counted, nowMs) : counted;
}

export function requestedView({ id, maxConversations, runsQueued }: RuleBackfill): RequestedRuleBackfill {
  return { backfillId: id, scheduled: true, maxConversations, runsQueued };
}

export function backfillView(backfill: RuleBackfill): BackfillView {
  const { id: backfillId, ruleId, state, startMs, endMs, maxConversations, conversationsSeen, runsQueued } = backfill;
  return {
    ...{ backfillId, ruleId, state, startMs, endMs, maxConversations, conversationsSeen, runsQueued },
    ...{ createdAt: backfill.createdAt, endedAt: backfill.endedAt },
  };
}
