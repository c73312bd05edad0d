import type { KnowledgeItem } from '@clew/contracts';
import { newId } from '@clew/kernel';

const SAID_AT = 1_700_000_000_000;

/** Knowledge item that a user of the project taught. */
export function itemOf(more: Partial<KnowledgeItem> = {}): KnowledgeItem {
  const quote = 'refunds above 500 euros need the approval of Marta';
  const place = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), messageIndex: 2, startChar: 0 };
  return {
    ...{ id: newId('kitm'), projectId: newId('prj'), goalId: newId('goal'), status: 'active', kind: 'policy' },
    ...{
      title: 'Approval of refunds',
      content: 'Refunds above 500 euros need the approval of Marta.',
      confidence: 0.9,
    },
    ...{ subject: { kind: 'project', name: 'project', userId: null }, authority: 'user_stated', saidAt: SAID_AT },
    ...{ sourceTraceId: 'a'.repeat(32), sourceConversationId: 'a chat' },
    evidence: [{ ...place, quote, endChar: quote.length, conversationId: 'a chat', isCurrent: true }],
    ...{ validFrom: null, validUntil: null, heldFrom: SAID_AT, heldUntil: null, reviewedAt: null, reviewedBy: null },
    ...{ supersedes: null, supersededBy: null, possiblyOutdatedBy: null, revision: 1 },
    ...{ createdAt: SAID_AT, updatedAt: SAID_AT, ...more },
  };
}
