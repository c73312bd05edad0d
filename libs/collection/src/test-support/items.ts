import type { ItemEvidence, KnowledgeItem } from '@clew/contracts';

const SAID_AT = 1_777_800_000_000;

export function evidenceOf(quote: string, more: Partial<ItemEvidence> = {}): ItemEvidence {
  return {
    ...{ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), messageIndex: 2, quote, startChar: 0, endChar: quote.length },
    ...{ conversationId: 'a chat', isCurrent: true, ...more },
  };
}

/** Knowledge item that a user of the project taught. */
export function itemOf(more: Partial<KnowledgeItem> = {}): KnowledgeItem {
  return {
    ...{ id: 'kitm_01HZZZZZZZZZZZZZZZZZZZZZZZ', projectId: 'prj_1', goalId: 'goal_1', status: 'active' },
    ...{ title: 'Approval of refunds', content: 'Refunds above 500 euros need the approval of Marta Lind.' },
    ...{ kind: 'policy', confidence: 0.9, subject: { kind: 'project', name: 'project', userId: null } },
    ...{ sourceTraceId: 'a'.repeat(32), sourceConversationId: 'a chat', authority: 'user_stated', saidAt: SAID_AT },
    evidence: [evidenceOf('refunds above 500 euros need the approval of Marta Lind')],
    ...{ validFrom: null, validUntil: null, heldFrom: SAID_AT, heldUntil: null, reviewedAt: null, reviewedBy: null },
    ...{ supersedes: null, supersededBy: null, possiblyOutdatedBy: null, revision: 1 },
    ...{ createdAt: SAID_AT, updatedAt: SAID_AT, ...more },
  };
}
