import { THE_PROJECT } from '@clew/knowledge';
import { newId } from '@clew/kernel';
import type { StoredItem } from '../items/index.ts';
import { PROJECT_ID } from './service.ts';
import { TRACE_ID } from './warehouse.ts';

/** Active item of a user's words, made at 1 and changed in some of its fields. */
export function itemWith(change: Partial<StoredItem> = {}): StoredItem {
  const { createdAt = 1, saidAt = createdAt, validFrom = null, validUntil = null } = change;
  return {
    ...{ id: newId('kitm'), projectId: PROJECT_ID, goalId: 'goal_1', status: 'active', title: 'x', content: 'y' },
    ...{ kind: 'fact', confidence: 1, subject: { ...THE_PROJECT, userId: null } },
    ...{ sourceTraceId: TRACE_ID, sourceConversationId: 'c', evidence: [], authority: 'user_stated' },
    ...{ saidAt, validFrom, validUntil, heldFrom: validFrom ?? saidAt, heldUntil: validUntil },
    ...{ reviewedAt: null, reviewedBy: null, supersedes: null, supersededBy: null, possiblyOutdatedBy: null },
    ...{ revision: 1, createdAt, updatedAt: createdAt, ...change },
  };
}
