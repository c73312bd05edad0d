import type { HostedIssue, HostedState, IssueBoard } from '../board/issue-board.ts';
import type { TrackerSettings } from '../board/loopback-tracker.ts';
import type { TrackerReply, TrackerRequest } from '../board/traffic.ts';
import { failure, invalid } from './github-replies.ts';
import { commentView, issueView, type HostedRepository } from './github-views.ts';

const MAX_BODY = 65_536;
const MAX_TITLE = 256;
const MAX_PAGE_SIZE = 100;

export interface GitHubPlace {
  board: IssueBoard;
  repository: HostedRepository;
  /** Repository that transferred issues are in. */
  other: HostedRepository;
  apiUrl: string;
  webUrl: string;
  settings: TrackerSettings;
}

export function createIssue({ board, settings, ...place }: GitHubPlace, { json }: TrackerRequest): TrackerReply {
  if (settings.issuesDisabled) return failure(410, 'Issues has been disabled in this repository.');
  if (settings.isReadOnly) return failure(403, 'Resource not accessible by personal access token');
  const problem = problemIn(json, true);
  if (problem !== undefined) return problem;
  const labels = settings.dropsLabels || !Array.isArray(json['labels']) ? [] : json['labels'].map(String);
  const issue = board.create({ title: String(json['title']), body: json['body'] ?? null, labels });
  return { status: 201, body: issueView(issue, place.repository, place.apiUrl, place.webUrl) };
}

export function readIssue(place: GitHubPlace, issue: HostedIssue): TrackerReply {
  return { status: 200, body: issueView(issue, place.repository, place.apiUrl, place.webUrl) };
}

export function updateIssue({ board, settings, ...place }: GitHubPlace, issue: HostedIssue, { json }: TrackerRequest) {
  if (settings.isReadOnly) return failure(403, 'Resource not accessible by personal access token');
  const problem = problemIn(json, false);
  if (problem !== undefined) return problem;
  const state = stateIn(json);
  board.change(issue, {
    ...('title' in json ? { title: String(json['title']) } : {}),
    ...('body' in json ? { body: json['body'] } : {}),
    ...(state === undefined ? {} : { state }),
  });
  return { status: 200, body: issueView(issue, place.repository, place.apiUrl, place.webUrl) };
}

export function comments({ board, apiUrl, settings }: GitHubPlace, issue: HostedIssue, request: TrackerRequest) {
  const issueUrl = `${apiUrl}/issues/${issue.number}`;
  if (request.method === 'GET') {
    return { status: 200, body: paged(request.url, issue.comments).map((each) => commentView(each, issueUrl)) };
  }
  if (settings.isReadOnly) return failure(403, 'Resource not accessible by personal access token');
  const text = request.json['body'];
  if (typeof text !== 'string' || text === '') return invalid('body', 'missing_field');
  return { status: 201, body: commentView(board.comment(issue, text), issueUrl) };
}

/** Lists issues, and pull requests among them; transferred and deleted ones are in no list. */
export function listIssues(place: GitHubPlace, { url }: TrackerRequest): TrackerReply {
  const query = url.searchParams;
  const state = query.get('state') ?? 'open';
  const sinceMs = Date.parse(query.get('since') ?? '1970-01-01T00:00:00Z');
  const by = query.get('sort') === 'updated' ? ('updatedAtMs' as const) : ('createdAtMs' as const);
  const order = query.get('direction') === 'asc' ? 1 : -1;
  const found = place.board.issues
    .filter(({ gone }) => gone === null)
    .filter(({ updatedAtMs }) => seconds(updatedAtMs) >= seconds(sinceMs))
    .filter((issue) => state === 'all' || issueView(issue, place.repository, '', '').state === state)
    .toSorted((one, two) => order * (seconds(one[by]) - seconds(two[by]) || one.number - two.number));
  const page = paged(url, found);
  const body = page.map((issue) => issueView(issue, place.repository, place.apiUrl, place.webUrl));
  return { status: 200, headers: nextLink(url, found.at(-1) !== page.at(-1)), body };
}

/** Searches the index for a phrase in the body: a new issue is not in it at once. */
export function searchIssues(place: GitHubPlace, { url }: TrackerRequest): TrackerReply {
  const phrase = /"([^"]+)"/.exec(url.searchParams.get('q') ?? '')?.[1] ?? '';
  const found = place.board.issues
    .filter(({ gone }) => gone === null)
    .flatMap((issue) => place.board.indexed(issue, place.settings.searchLagMs) ?? [])
    .filter(({ body }) => typeof body === 'string' && body.includes(phrase));
  const items = found.map((issue) => issueView(issue, place.repository, place.apiUrl, place.webUrl));
  return { status: 200, body: { total_count: items.length, incomplete_results: false, items } };
}

function problemIn(json: Readonly<Record<string, unknown>>, isNew: boolean): TrackerReply | undefined {
  const { title, body } = json;
  if (isNew && (typeof title !== 'string' || title.trim() === '')) return invalid('title', 'missing_field');
  if (typeof title === 'string' && title.length > MAX_TITLE) {
    return invalid('title', 'custom', `title is too long (maximum is ${MAX_TITLE} characters)`);
  }
  if (typeof body === 'string' && body.length > MAX_BODY) {
    return invalid('body', 'custom', `body is too long (maximum is ${MAX_BODY} characters)`);
  }
  return undefined;
}

function stateIn({ state, state_reason }: Readonly<Record<string, unknown>>): HostedState | undefined {
  if (state === 'open') return 'open';
  if (state !== 'closed') return undefined;
  return state_reason === 'not_planned' || state_reason === 'duplicate' ? state_reason : 'completed';
}

function paged<Entry>({ searchParams }: URL, entries: readonly Entry[]): Entry[] {
  const size = Math.min(Number(searchParams.get('per_page') ?? 30), MAX_PAGE_SIZE);
  const start = (Number(searchParams.get('page') ?? 1) - 1) * size;
  return entries.slice(start, start + size);
}

function nextLink(url: URL, hasMore: boolean): Record<string, string> {
  const next = new URL(url);
  next.searchParams.set('page', String(Number(url.searchParams.get('page') ?? 1) + 1));
  return hasMore ? { link: `<${next.href}>; rel="next"` } : {};
}

function seconds(ms: number): number {
  return Math.floor(ms / 1_000);
}
