import {
  listActiveItems,
  listReadyConversations,
  type CollectionObjective,
  type CollectionSubject,
} from '@clew/contracts';
import type { ServiceClient } from '@clew/http';

export interface SubjectsQuery {
  projectId: string;
  objective: CollectionObjective;
  /** Window, both ends inclusive. */
  fromMs: number;
  toMs: number;
  /** Goals whose items are meant; all if undefined. */
  goalIds: readonly string[] | undefined;
  limit: number;
  cursor: string | null;
}

export interface SubjectsPage {
  subjects: CollectionSubject[];
  nextCursor: string | null;
}

/** Reads what an objective looks at, the latest first: ready conversations, or active Knowledge items. */
export type ReadSubjects = (query: SubjectsQuery) => Promise<SubjectsPage>;

export interface ReadSubjectsDependencies {
  warehouse: ServiceClient;
  knowledge: ServiceClient;
}

export function createReadSubjects({ warehouse, knowledge }: ReadSubjectsDependencies): ReadSubjects {
  return async ({ projectId, objective, fromMs, toMs, goalIds, limit, cursor }) => {
    const page = { limit: String(limit), ...(cursor === null ? {} : { cursor }) };
    const params = { projectId };
    if (objective === 'teach_project_knowledge') {
      const { items, nextCursor } = await knowledge.call(listActiveItems, { params, query: page });
      const recent = items.filter(({ createdAt }) => createdAt >= fromMs);
      const meant = recent.filter(({ goalId }) => goalIds?.includes(goalId) ?? true);
      return {
        subjects: meant.map(({ itemId }) => ({ kind: 'item', itemId })),
        nextCursor: recent.length < items.length ? null : nextCursor,
      };
    }
    const query = { from: String(fromMs), to: String(toMs), order: 'latest' as const, ...page };
    const { conversations, nextCursor } = await warehouse.call(listReadyConversations, { params, query });
    const subjects = conversations.map(({ conversationId, snapshotId }) => {
      return { kind: 'conversation' as const, conversationId, snapshotId };
    });
    return { subjects, nextCursor };
  };
}
