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

/** Begins to read what Home shows, while its code is still on the way. */
export function readAheadOfHome(projectId: string): void {
  const { now, before } = homeWindows(Date.now(), DAYS);
  for (const window of [now, before]) void queryClient.prefetchQuery(conversationSeriesQuery(projectId, window));
  for (const { search } of NEEDS) void queryClient.prefetchInfiniteQuery(needQuery(projectId, search));
}
