import { infiniteQueryOptions } from '@tanstack/react-query';
import { clew } from '../api/client.ts';
import { paged } from '../api/queries.ts';

/** Spans of the first page, which is soon there, and of each further one. */
const FIRST_PAGE = 200;
const PAGE = 1_000;

export const traceQuery = (projectId: string, traceId: string) =>
  infiniteQueryOptions({
    queryKey: ['trace', projectId, traceId],
    queryFn: async ({ pageParam, signal }) => {
      const limit = pageParam === undefined ? FIRST_PAGE : PAGE;
      const page = await clew.traces.get(traceId, { limit, cursor: pageParam, project: projectId, signal });
      return { data: page.spans, nextCursor: page.nextCursor, spanCount: page.spanCount };
    },
    ...paged,
    staleTime: Infinity,
  });
