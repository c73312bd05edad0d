import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { NotFoundError, type Api } from '@clew/sdk';
import { clew } from './client.ts';
import { HEAD_ROWS, headAhead, NOTHING_AHEAD, type Ahead } from './new-rows.ts';

const MINUTE_MS = 60_000;
const MANY = 500;

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => clew.me.get({ signal }),
  staleTime: 5 * MINUTE_MS,
});

export const projectsQuery = queryOptions({
  queryKey: ['projects'],
  queryFn: ({ signal }) => clew.projects.list({ signal }).toArray({ max: MANY }),
  staleTime: MINUTE_MS,
});

export const signalsQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['signals', projectId],
    queryFn: ({ signal }) => clew.health.signals({ signal, headers: { 'x-clew-project': projectId } }),
    refetchInterval: MINUTE_MS,
  });

export const membersQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['members', projectId],
    queryFn: ({ signal }) => clew.members.list({ project: projectId, signal }).toArray({ max: MANY }),
    staleTime: 5 * MINUTE_MS,
  });

export const connectorsQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['connectors', projectId],
    queryFn: ({ signal }) => clew.connectors.list({ project: projectId, signal }).toArray({ max: MANY }),
    staleTime: MINUTE_MS,
  });

/** Page of a list, without the methods of the SDK, which a cache cannot compare. */
interface CachedPage<Item> {
  data: Item[];
  nextCursor: string | null;
}

export async function cachedPage<Item>(call: PromiseLike<CachedPage<Item>>): Promise<CachedPage<Item>> {
  const { data, nextCursor } = await call;
  return { data, nextCursor };
}

/** Members of the query of every list that is read page by page. */
export const paged = {
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ nextCursor }: CachedPage<unknown>) => nextCursor ?? undefined,
};

export const conversationQuery = (projectId: string, conversationId: string) =>
  queryOptions({
    queryKey: ['conversation', projectId, conversationId],
    queryFn: ({ signal }) => clew.conversations.get(conversationId, { project: projectId, signal }),
    staleTime: MINUTE_MS,
  });

const FIRST_MESSAGES = 8;

/** Messages with which a conversation begins. */
export const firstMessagesQuery = (projectId: string, conversationId: string) =>
  queryOptions({
    queryKey: ['conversation', projectId, conversationId, 'first'],
    queryFn: async ({ signal }) => {
      const query = { limit: FIRST_MESSAGES, project: projectId, signal };
      return (await clew.conversations.messages(conversationId, query)).messages;
    },
    staleTime: MINUTE_MS,
  });

/**
 * Diagnosis of a conversation; null before its first analysis. Nothing is asked for before its first snapshot, with which
 * an analysis begins.
 */
export const diagnosisQuery = (projectId: string, conversationId: string, hasSnapshot = true) =>
  queryOptions({
    queryKey: ['diagnosis', projectId, conversationId, hasSnapshot],
    async queryFn({ signal }) {
      if (!hasSnapshot) return null;
      try {
        return await clew.conversations.diagnosis(conversationId, { project: projectId, signal });
      } catch (error) {
        if (error instanceof NotFoundError) return null;
        throw error;
      }
    },
  });

export type FindingListQuery = Omit<NonNullable<Parameters<typeof clew.findings.list>[0]>, 'cursor' | 'project'>;
export type FindingCountQuery = Omit<NonNullable<Parameters<typeof clew.findings.count>[0]>, 'project'>;

/** Key of everything about the Findings of a project. */
export const findingsKey = (projectId: string) => ['findings', projectId] as const;

export const findingListQuery = (projectId: string, query: FindingListQuery) =>
  infiniteQueryOptions({
    queryKey: [...findingsKey(projectId), 'list', query],
    queryFn: ({ pageParam, signal }) =>
      cachedPage(clew.findings.list({ ...query, cursor: pageParam, project: projectId, signal })),
    ...paged,
    placeholderData: keepPreviousData,
    // Rows never move by themselves under the cursor.
    staleTime: Infinity,
    gcTime: 10 * MINUTE_MS,
  });

/** Findings that would stand above the first one that a list has. */
export async function findingsAhead(
  projectId: string,
  { sort = 'lastDetectedAt', limit: _limit, ...filters }: FindingListQuery,
  first: Pick<Api.Finding, 'lastDetectedAt'> | undefined,
  signal: AbortSignal,
): Promise<Ahead> {
  if (sort !== 'lastDetectedAt') {
    const { data } = await clew.findings.list({ ...filters, sort, limit: HEAD_ROWS, project: projectId, signal });
    return headAhead(data.map(({ id }) => id));
  }
  const after = first === undefined ? {} : { lastDetectedAfter: first.lastDetectedAt + 1 };
  const { total, atLeast } = await clew.findings.count({
    ...filters,
    ...after,
    by: 'severity',
    project: projectId,
    signal,
  });
  return { ...NOTHING_AHEAD, count: total, atLeast };
}

export const findingCountQuery = (projectId: string, query: FindingCountQuery) =>
  queryOptions({
    queryKey: [...findingsKey(projectId), 'count', query],
    queryFn: ({ signal }) => clew.findings.count({ ...query, project: projectId, signal }),
    placeholderData: keepPreviousData,
  });

export const findingQuery = (projectId: string, findingId: string) =>
  queryOptions({
    queryKey: [...findingsKey(projectId), 'one', findingId],
    queryFn: ({ signal }) => clew.findings.get(findingId, { project: projectId, signal }),
  });

export const occurrencesQuery = (projectId: string, findingId: string) =>
  infiniteQueryOptions({
    queryKey: [...findingsKey(projectId), 'occurrences', findingId],
    queryFn: ({ pageParam, signal }) =>
      cachedPage(
        clew.findings.occurrences.list(findingId, { limit: 50, cursor: pageParam, project: projectId, signal }),
      ),
    ...paged,
  });

export const occurrenceCountsQuery = (
  projectId: string,
  findingId: string,
  window: { startMs: number; endMs: number; intervalMs: number },
) =>
  queryOptions({
    queryKey: [...findingsKey(projectId), 'occurrence-counts', findingId, window],
    queryFn: ({ signal }) => clew.findings.occurrences.count(findingId, { ...window, project: projectId, signal }),
    staleTime: MINUTE_MS,
  });

export const activityQuery = (projectId: string, findingId: string) =>
  infiniteQueryOptions({
    queryKey: [...findingsKey(projectId), 'activity', findingId],
    queryFn: ({ pageParam, signal }) =>
      cachedPage(clew.findings.activity.list(findingId, { limit: 30, cursor: pageParam, project: projectId, signal })),
    ...paged,
  });

export type ConversationListQuery = Omit<
  NonNullable<Parameters<typeof clew.conversations.list>[0]>,
  'cursor' | 'project'
>;
export type ConversationCountQuery = Omit<NonNullable<Parameters<typeof clew.conversations.count>[0]>, 'project'>;

/** Key of everything about the list of conversations of a project. */
export const conversationsKey = (projectId: string) => ['conversations', projectId] as const;

export const conversationListQuery = (projectId: string, query: ConversationListQuery) =>
  infiniteQueryOptions({
    queryKey: [...conversationsKey(projectId), 'list', query],
    queryFn: ({ pageParam, signal }) =>
      cachedPage(clew.conversations.list({ ...query, cursor: pageParam, project: projectId, signal })),
    ...paged,
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    gcTime: 10 * MINUTE_MS,
  });

/** Conversations that would stand above the first one that a list has. */
export async function conversationsAhead(
  projectId: string,
  { limit: _limit, ...filters }: ConversationListQuery,
  first: Pick<Api.ConversationSummary, 'startedAt'> | undefined,
  signal: AbortSignal,
): Promise<Ahead> {
  const after = first === undefined ? {} : { startedAfter: first.startedAt + 1 };
  const { total } = await clew.conversations.count({ ...filters, ...after, project: projectId, signal });
  return { ...NOTHING_AHEAD, ...total };
}

export const conversationCountQuery = (projectId: string, query: ConversationCountQuery) =>
  queryOptions({
    queryKey: [...conversationsKey(projectId), 'count', query],
    queryFn: ({ signal }) => clew.conversations.count({ ...query, project: projectId, signal }),
    placeholderData: keepPreviousData,
  });

export const conversationSeriesQuery = (
  projectId: string,
  window: { startMs: number; endMs: number; intervalMs: number },
) =>
  queryOptions({
    queryKey: [...conversationsKey(projectId), 'series', window],
    queryFn: ({ signal }) => clew.conversations.series({ ...window, project: projectId, signal }),
    placeholderData: keepPreviousData,
    staleTime: MINUTE_MS,
  });
