import { afterPage, placeOf } from '../exchange/keyset.ts';
import { SKEW_MS } from '../exchange/times.ts';
import { hasMarker } from '../text/marked.ts';
import type { GitHubDestination } from '../tracker/connection.ts';
import type { IssueReading, TrackerAdapter } from '../tracker/issue-tracker.ts';
import { done, refused, type Outcome } from '../tracker/outcome.ts';
import { GitHubIssues, type GitHubIssue } from './github-answers.ts';
import type { GitHubApi } from './github-api.ts';
import { gitHubIssue } from './github-issue.ts';

const PAGE_SIZE = 50;
const MAX_MARKER_PAGES = 40;

interface Page {
  sinceMs: number;
  page: number;
  sort: 'created' | 'updated';
  direction: 'asc' | 'desc';
}

/** Lists are read from the store of issues, and not from GitHub's search, whose index lags. */
export function createGitHubLists(
  api: GitHubApi,
  destination: GitHubDestination | undefined,
): Pick<TrackerAdapter, 'findByMarker' | 'listChanged'> {
  async function list({ sinceMs, ...page }: Page, signal: AbortSignal): Promise<Outcome<GitHubIssue[]>> {
    if (destination === undefined) return refused('destination', 'No repository is named');
    const since = `${new Date(sinceMs).toISOString().slice(0, 19)}Z`;
    const request = api.request('read', 'GET /repos/{owner}/{repo}/issues', {
      ...{ ...destination, state: 'all', since, per_page: PAGE_SIZE, ...page },
    });
    return await api.value(request, GitHubIssues, signal);
  }

  return {
    async findByMarker(marker, sinceMs, signal) {
      const found: IssueReading[] = [];
      for (let page = 1; page <= MAX_MARKER_PAGES; page += 1) {
        // An issue that was created since then has also changed since then, which keeps the list short.
        const from = Math.max(0, sinceMs - SKEW_MS);
        const listed = await list({ sinceMs: from, page, sort: 'created', direction: 'desc' }, signal);
        if (listed.kind !== 'done') return listed;
        found.unshift(...readingsOf(listed.value.filter(({ body }) => hasMarker(body ?? '', marker)).reverse()));
        const earliest = listed.value.at(-1);
        if (earliest === undefined || listed.value.length < PAGE_SIZE || earliest.created_at < from) {
          return done({ found, isProof: true });
        }
      }
      return done({ found, isProof: false });
    },
    async listChanged(from, signal) {
      const place = placeOf(from);
      const { sinceMs, page } = place;
      const listed = await list({ sinceMs, page, sort: 'updated', direction: 'asc' }, signal);
      if (listed.kind !== 'done') return listed;
      const times = listed.value.map(({ updated_at }) => updated_at);
      return done({ issues: readingsOf(listed.value), ...afterPage(place, times, PAGE_SIZE) });
    },
  };
}

function readingsOf(issues: readonly GitHubIssue[]): IssueReading[] {
  return issues.flatMap((listed) => {
    const issue = listed.pull_request == null ? gitHubIssue(listed) : undefined;
    return issue === undefined ? [] : [{ kind: 'present', issue }];
  });
}
