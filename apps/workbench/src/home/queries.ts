import { conversationSeriesQuery, findingListQuery } from '../api/queries.ts';
import { queryClient } from '../api/query-client.ts';
import { findingListOf, type FindingsSearch } from '../findings/findings-search.ts';
import { homeWindows } from './figures.ts';

export const DAYS = 7;
const SHOWN = 5;
/** Time for which what was read ahead is not read again. */
const FRESH_MS = 5_000;

/** Lists of what needs somebody. */
export const NEEDS: readonly { title: string; search: FindingsSearch }[] = [
  { title: 'To review', search: { view: 'review', sort: 'diagnosticScore' } },
  { title: 'Regressed', search: { view: 'regressed' } },
  { title: 'Awaiting verification', search: { view: 'verifying' } },
];

/** First Findings of such a list. */
export function needQuery(projectId: string, search: FindingsSearch) {
  return { ...findingListQuery(projectId, { ...findingListOf(search), limit: SHOWN }), staleTime: FRESH_MS };
}

/**
 * Begins to read what Home shows first, as soon as the script runs, so that it is painted at once. The rest is asked for
 * when that is on the screen, since each request takes time from it.
 */
export function readAheadOfHome(projectId: string): void {
  void queryClient.prefetchQuery(conversationSeriesQuery(projectId, homeWindows(Date.now(), DAYS).now));
  for (const { search } of NEEDS) void queryClient.prefetchInfiniteQuery(needQuery(projectId, search));
}
