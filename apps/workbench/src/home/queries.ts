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
 * Begins to read what Home shows first, while its code is still on the way: the figures, and what is to be reviewed. The
 * rest is asked for when the page is drawn, since each request takes time from that.
 */
export function readAheadOfHome(projectId: string): void {
  void queryClient.prefetchQuery(conversationSeriesQuery(projectId, homeWindows(Date.now(), DAYS).now));
  const [first] = NEEDS;
  if (first !== undefined) void queryClient.prefetchInfiniteQuery(needQuery(projectId, first.search));
}
