import { Buffer } from 'node:buffer';
import type { HostedIssue } from '../board/issue-board.ts';
import type { TrackerReply, TrackerRequest } from '../board/traffic.ts';
import { failure, type JiraPlace } from './jira-issues.ts';
import { issueView } from './jira-views.ts';
import { parseJql, type JqlQuery } from './jql.ts';

const MAX_PAGE_SIZE = 5_000;

/**
 * Searches the index, which lags: a new or changed issue is found as it was before, except where the client names it
 * in `reconcileIssues`. The token of a page belongs to its query.
 */
export function search(place: JiraPlace, { json }: TrackerRequest): TrackerReply {
  const jql = String(json['jql'] ?? '');
  const query = parseJql(jql, { projectKey: place.project.key, now: place.now });
  if (query === undefined) return failure(400, [`Error in the JQL Query: '${jql}'`]);
  const start = json['nextPageToken'] === undefined ? 0 : startOf(String(json['nextPageToken']), jql);
  if (start === undefined) return failure(400, ['The provided next page token is invalid or expired.']);
  const size = Math.min(Number(json['maxResults'] ?? 50), MAX_PAGE_SIZE);
  const found = place.board.issues
    .filter(({ gone }) => gone === null)
    .flatMap((issue) => known(place, issue, json['reconcileIssues']) ?? [])
    .filter((issue) => query.matches(issue))
    .toSorted(orderOf(query));
  const fields = Array.isArray(json['fields']) ? json['fields'].map(String) : ['id'];
  const issues = found.slice(start, start + size).map((issue) => issueView(issue, place.project, fields));
  const isLast = start + size >= found.length;
  return { status: 200, body: { issues, isLast, ...(isLast ? {} : { nextPageToken: tokenOf(start + size, jql) }) } };
}

function known({ board, settings }: JiraPlace, issue: HostedIssue, reconciled: unknown): HostedIssue | undefined {
  const isReconciled = Array.isArray(reconciled) && reconciled.map(Number).includes(issue.id);
  return isReconciled ? issue : board.indexed(issue, settings.searchLagMs);
}

function orderOf({ orderBy }: JqlQuery): (one: HostedIssue, other: HostedIssue) => number {
  const value = (issue: HostedIssue, field: JqlQuery['orderBy'][number]['field']) =>
    field === 'key' ? issue.number : field === 'updated' ? issue.updatedAtMs : issue.createdAtMs;
  return (one, other) =>
    orderBy.reduce((found, { field, direction }) => found || direction * (value(one, field) - value(other, field)), 0);
}

function tokenOf(start: number, jql: string): string {
  return Buffer.from(JSON.stringify([start, jql])).toString('base64url');
}

function startOf(token: string, jql: string): number | undefined {
  try {
    const [start, ofJql] = JSON.parse(Buffer.from(token, 'base64url').toString()) as [number, string];
    return ofJql === jql ? start : undefined;
  } catch {
    return undefined;
  }
}
