import { newId } from '@clew/kernel';
import { withMongo } from './database.ts';
import type { TestProject } from './test-project.ts';

/** Creates an item as extraction would, but without a model; returns its path below the project. */
export async function makeItem(project: TestProject): Promise<string> {
  const { body: goal } = await project.call<{ id: string }>('/knowledge/goals', {
    body: { name: 'Facts', instruction: 'Learn facts' },
  });
  const itemId = newId('kitm');
  const traceId = 'a'.repeat(32);
  const now = Date.now();
  await withMongo(async (connection) => {
    await connection
      .useDb('clew_knowledge')
      .collection<{ _id: string }>('items')
      .insertOne({
        ...{ _id: itemId, projectId: project.id, goalId: goal.id, status: 'active', title: 'Deliveries', kind: 'fact' },
        ...{ content: 'Deliveries come on Tuesday', confidence: 1, authority: 'user_stated', evidence: [] },
        ...{ subject: { kind: 'project', name: 'project', userId: null }, subjects: ['project'], standing: 'active' },
        ...{ saidAt: 1, validFrom: null, validUntil: null, heldFrom: 1, heldUntil: null, possiblyOutdatedBy: null },
        ...{ sourceTraceId: traceId, sourceConversationId: 'chat', traceIds: [traceId], conversationIds: ['chat'] },
        ...{ reviewedAt: null, reviewedBy: null, supersedes: null, supersededBy: null, terms: [], reviewed: false },
        facets: ['*', `goal:${goal.id}`, `trace:${traceId}`, 'conversation:chat', 'subject:project'],
        ...{ revision: 1, createdAt: now, updatedAt: now },
      } as { _id: string });
  });
  return `/knowledge/items/${itemId}`;
}
