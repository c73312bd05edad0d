import type { Clock } from '@clew/kernel';
import { z } from 'zod';
import { readCursor } from '../exchange/cursor.ts';
import { SKEW_MS } from '../exchange/times.ts';
import { textsOf } from '../text/adf.ts';
import type { JiraDestination } from '../tracker/connection.ts';
import type { IssueReading, TrackerAdapter } from '../tracker/issue-tracker.ts';
import { done, refused } from '../tracker/outcome.ts';
import { JiraSearch, type JiraIssue } from './jira-answers.ts';
import type { JiraApi } from './jira-api.ts';
import { FIELDS, jiraIssue } from './jira-issue.ts';

const PAGE_SIZE = 50;
const MINUTE_MS = 60_000;
/** Time by which the index of the search may lag behind what was committed. */
const LAG_MS = 2 * SKEW_MS;

/** Place in a walk: the token of the next page belongs to exactly this query. */
const Cursor = z.object({ jql: z.string(), token: z.string(), lastMs: z.number() });

export function createJiraLists(
  api: JiraApi,
  destination: JiraDestination | undefined,
  clock: Clock,
): Pick<TrackerAdapter, 'findByMarker' | 'listChanged'> {
  async function search(body: object, signal: AbortSignal) {
    return await api.value(api.request('read', 'POST', '/search/jql', { body }), JiraSearch, signal);
  }
  const readingOf = (issue: JiraIssue): IssueReading => ({
    kind: 'present',
    issue: jiraIssue(issue, api.urlOf(issue.key)),
  });

  return {
    async findByMarker(marker, _sinceMs, signal) {
      if (destination === undefined) return NO_DESTINATION;
      // An issue without the label has the marker in its text; the search splits words, so the text is compared below.
      const jql = `project = "${destination.projectKey}" AND (labels = "${marker}" OR description ~ "\\"${marker}\\"") ORDER BY created ASC`;
      const found = await search({ jql, fields: [...FIELDS, 'description'], maxResults: PAGE_SIZE }, signal);
      if (found.kind !== 'done') return found;
      const marked = found.value.issues.filter(
        ({ fields }) => fields.labels?.includes(marker) === true || textsOf(fields.description).includes(marker),
      );
      // The index shows a new issue only after a while: no result proves nothing.
      return done({ found: marked.map(readingOf), isProof: false });
    },
    async listChanged(from, signal) {
      if (destination === undefined) return NO_DESTINATION;
      const cursor = readCursor(from.cursor, Cursor);
      const jql = cursor?.jql ?? changedSince(destination, from.sinceMs, clock.now());
      const page = cursor === undefined ? {} : { nextPageToken: cursor.token };
      const found = await search({ jql, fields: [...FIELDS], maxResults: PAGE_SIZE, ...page }, signal);
      if (found.kind !== 'done') return found;
      const { issues, nextPageToken, isLast } = found.value;
      const lastMs = Math.max(cursor?.lastMs ?? from.sinceMs, ...issues.map(({ fields }) => fields.updated));
      const hasMore = isLast !== true && nextPageToken != null;
      const next = hasMore ? JSON.stringify({ jql, token: nextPageToken, lastMs }) : null;
      return done({ issues: issues.map(readingOf), cursor: next, sinceMs: lastMs });
    },
  };
}

const NO_DESTINATION = refused('destination', 'No project is named');

/**
 * Query for changes. A time in a query is read in the time zone of the account; minutes before now are the same for
 * all. The latest change comes first: issues that change meanwhile go to the front, and hide no other one.
 */
function changedSince({ projectKey }: JiraDestination, sinceMs: number, nowMs: number): string {
  const minutes = Math.max(1, Math.ceil((nowMs - sinceMs + LAG_MS) / MINUTE_MS));
  return `project = "${projectKey}" AND updated >= "-${minutes}m" ORDER BY updated DESC, key DESC`;
}
