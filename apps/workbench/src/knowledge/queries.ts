import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { clew } from '../api/client.ts';
import { cachedPage, paged } from '../api/queries.ts';
import type { ItemFilters } from './knowledge-search.ts';

const MINUTE_MS = 60_000;
const MANY = 500;
/** Messages around a quote: it, two before and two after. */
const AROUND = 5;

/** Key of everything about the Knowledge of a project. */
export const knowledgeKey = (projectId: string) => ['knowledge', projectId] as const;

export const itemListQuery = (projectId: string, query: ItemFilters & { limit: number }) =>
  infiniteQueryOptions({
    queryKey: [...knowledgeKey(projectId), 'list', query],
    queryFn: ({ pageParam, signal }) =>
      cachedPage(clew.knowledge.items.list({ ...query, cursor: pageParam, project: projectId, signal })),
    ...paged,
    placeholderData: keepPreviousData,
    // Rows never move by themselves under the cursor.
    staleTime: Infinity,
    gcTime: 10 * MINUTE_MS,
  });

/** Number of the items of a list when it was read; it stays, so that the progress of a review has an end. */
export const itemTotalQuery = (projectId: string, query: ItemFilters) =>
  queryOptions({
    queryKey: [...knowledgeKey(projectId), 'total', query],
    queryFn: async ({ signal }) => (await clew.knowledge.items.count({ ...query, project: projectId, signal })).total,
    staleTime: Infinity,
  });

export const itemCountQuery = (projectId: string, query: ItemFilters & { by: string }) =>
  queryOptions({
    queryKey: [...knowledgeKey(projectId), 'count', query],
    queryFn: ({ signal }) => clew.knowledge.items.count({ ...query, project: projectId, signal }),
    placeholderData: keepPreviousData,
  });

export const itemQuery = (projectId: string, itemId: string) =>
  queryOptions({
    queryKey: [...knowledgeKey(projectId), 'one', itemId],
    queryFn: ({ signal }) => clew.knowledge.items.get(itemId, { project: projectId, signal }),
  });

export const revisionsQuery = (projectId: string, itemId: string) =>
  infiniteQueryOptions({
    queryKey: [...knowledgeKey(projectId), 'one', itemId, 'revisions'],
    queryFn: ({ pageParam, signal }) =>
      cachedPage(clew.knowledge.items.revisions(itemId, { limit: 20, cursor: pageParam, project: projectId, signal })),
    ...paged,
  });

/** Message with a quote, and those around it. */
export const messagesAroundQuery = (projectId: string, conversationId: string, around: number) =>
  queryOptions({
    queryKey: ['conversation', projectId, conversationId, 'around', around],
    queryFn: ({ signal }) =>
      clew.conversations.messages(conversationId, { around, limit: AROUND, project: projectId, signal }),
    staleTime: 5 * MINUTE_MS,
  });

export const goalsQuery = (projectId: string) =>
  queryOptions({
    queryKey: [...knowledgeKey(projectId), 'goals'],
    queryFn: ({ signal }) => clew.knowledge.goals.list({ project: projectId, signal }).toArray({ max: MANY }),
  });
