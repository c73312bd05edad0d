import { afterPage, placeOf } from '../exchange/keyset.ts';
import { SKEW_MS } from '../exchange/times.ts';
import { hasMarker } from '../text/marked.ts';
import type { GitLabDestination } from '../tracker/connection.ts';
import type { IssueReading, TrackerAdapter } from '../tracker/issue-tracker.ts';
import { done, refused, type Outcome } from '../tracker/outcome.ts';
import { GitLabIssues, type GitLabIssue } from './gitlab-answers.ts';
import type { GitLabApi } from './gitlab-api.ts';
import { gitLabReading } from './gitlab-issue.ts';

/** Size of a page whose descriptions, a million characters at most, stay below the limit of an answer. */
const PAGE_SIZE = 20;
const MAX_MARKER_PAGES = 100;

/**
 * Lists are read without a search word: a search splits the marker into words, and may go through an index of its own,
 * while the plain list shows what was committed.
 */
export function createGitLabLists(
  api: GitLabApi,
  destination: GitLabDestination | undefined,
): Pick<TrackerAdapter, 'findByMarker' | 'listChanged'> {
  async function list(query: Record<string, string | number>, signal: AbortSignal): Promise<Outcome<GitLabIssue[]>> {
    if (destination === undefined) return refused('destination', 'No project is named');
    const path = `/projects/${encodeURIComponent(destination.projectId)}/issues`;
    const all = { scope: 'all', state: 'all', sort: 'asc', per_page: PAGE_SIZE, ...query };
    return await api.value(api.request('read', 'GET', path, { query: all }), GitLabIssues, signal);
  }

  return {
    async findByMarker(marker, sinceMs, signal) {
      const found: IssueReading[] = [];
      const created_after = new Date(Math.max(0, sinceMs - SKEW_MS)).toISOString();
      for (let page = 1; page <= MAX_MARKER_PAGES; page += 1) {
        const listed = await list({ order_by: 'created_at', created_after, page }, signal);
        if (listed.kind !== 'done') return listed;
        found.push(
          ...listed.value.filter(({ description }) => hasMarker(description ?? '', marker)).map(gitLabReading),
        );
        if (listed.value.length < PAGE_SIZE) return done({ found, isProof: true });
      }
      return done({ found, isProof: false });
    },
    async listChanged(from, signal) {
      const place = placeOf(from);
      const updated_after = new Date(place.sinceMs).toISOString();
      const listed = await list({ order_by: 'updated_at', updated_after, page: place.page }, signal);
      if (listed.kind !== 'done') return listed;
      const times = listed.value.map(({ updated_at }) => updated_at);
      return done({ issues: listed.value.map(gitLabReading), ...afterPage(place, times, PAGE_SIZE) });
    },
  };
}
