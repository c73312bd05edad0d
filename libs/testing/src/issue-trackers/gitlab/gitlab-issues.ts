import type { HostedIssue, IssueBoard } from '../board/issue-board.ts';
import type { TrackerSettings } from '../board/loopback-tracker.ts';
import type { TrackerReply, TrackerRequest } from '../board/traffic.ts';
import { issueView, noteView, type HostedProject } from './gitlab-views.ts';
import { quickActionsIn } from './quick-actions.ts';

const MAX_DESCRIPTION = 1_048_576;
const MAX_TITLE = 255;
const MAX_PAGE_SIZE = 100;

export interface GitLabPlace {
  board: IssueBoard;
  project: HostedProject;
  settings: TrackerSettings;
}

export function failure(status: number, message: unknown): TrackerReply {
  return { status, body: { message } };
}

export function createIssue(place: GitLabPlace, { json }: TrackerRequest): TrackerReply {
  const { board, project, settings } = place;
  if (settings.issuesDisabled || settings.isReadOnly) return failure(403, '403 Forbidden');
  if (json['title'] === undefined) return { status: 400, body: { error: 'title is missing' } };
  const problem = problemIn(json);
  if (problem !== undefined) return problem;
  const labels = settings.dropsLabels || typeof json['labels'] !== 'string' ? [] : json['labels'].split(',');
  const issue = board.create({ title: String(json['title']), body: json['description'] ?? null, labels });
  act(board, issue, json['description']);
  return { status: 201, body: issueView(issue, project) };
}

export function ofIssue(place: GitLabPlace, issue: HostedIssue, request: TrackerRequest): TrackerReply {
  const { board, project, settings } = place;
  if (request.method === 'GET') return { status: 200, body: issueView(issue, project) };
  if (settings.isReadOnly) return failure(403, '403 Forbidden');
  const { json } = request;
  const problem = problemIn(json);
  if (problem !== undefined) return problem;
  board.change(issue, {
    ...('title' in json ? { title: String(json['title']) } : {}),
    ...('description' in json ? { body: json['description'] } : {}),
    ...(json['state_event'] === 'close' ? { state: 'completed' as const } : {}),
    ...(json['state_event'] === 'reopen' ? { state: 'open' as const } : {}),
  });
  act(board, issue, json['description']);
  return { status: 200, body: issueView(issue, project) };
}

export function notes(place: GitLabPlace, issue: HostedIssue, request: TrackerRequest): TrackerReply {
  const { board, project, settings } = place;
  if (request.method === 'GET') {
    const order = request.url.searchParams.get('sort') === 'asc' ? 1 : -1;
    const all = issue.comments.toSorted((one, other) => order * (one.id - other.id));
    return paged(request.url, all, (note) => noteView(note, issue, project));
  }
  if (settings.isReadOnly) return failure(403, '403 Forbidden');
  const { body } = request.json;
  if (typeof body !== 'string') return { status: 400, body: { error: 'body is missing' } };
  const note = board.comment(issue, body);
  act(board, issue, body);
  return { status: 201, body: noteView(note, issue, project) };
}

export function listIssues({ board, project, settings }: GitLabPlace, { url }: TrackerRequest): TrackerReply {
  const query = url.searchParams;
  const by = query.get('order_by') === 'updated_at' ? ('updatedAtMs' as const) : ('createdAtMs' as const);
  const order = query.get('sort') === 'asc' ? 1 : -1;
  const [updatedMs, createdMs] = ['updated_after', 'created_after'].map((name) =>
    Date.parse(query.get(name) ?? '1970-01-01'),
  );
  const [state, search] = [query.get('state') ?? 'all', query.get('search')];
  const found = board.issues
    .filter(({ gone }) => gone !== 'deleted')
    .filter((issue) => issue.updatedAtMs >= (updatedMs ?? 0) && issue.createdAtMs >= (createdMs ?? 0))
    .filter((issue) => state === 'all' || issueView(issue, project).state === state)
    .filter((issue) => search === null || hasWord(board.indexed(issue, settings.searchLagMs), search, query.get('in')))
    .toSorted((one, other) => order * (one[by] - other[by] || one.id - other.id));
  return paged(url, found, (issue) => issueView(issue, project));
}

function hasWord(issue: HostedIssue | undefined, word: string, fields: string | null): boolean {
  if (issue === undefined) return false;
  const texts = (fields ?? 'title,description')
    .split(',')
    .map((field) => (field === 'title' ? issue.title : issue.body));
  return texts.some((text) => String(text).includes(word));
}

/** Does what the quick actions of a text say: the ones that change the state of the issue. */
function act(board: IssueBoard, issue: HostedIssue, text: unknown): void {
  for (const { name } of quickActionsIn(typeof text === 'string' ? text : '')) {
    if (name === 'close') board.change(issue, { state: 'completed' });
    if (name === 'duplicate') board.change(issue, { state: 'duplicate' });
    if (name === 'reopen') board.change(issue, { state: 'open' });
  }
}

function problemIn({ title, description }: Readonly<Record<string, unknown>>): TrackerReply | undefined {
  if (title === '') return failure(400, { title: ["can't be blank"] });
  if (typeof title === 'string' && title.length > MAX_TITLE) {
    return failure(400, { title: [`is too long (maximum is ${MAX_TITLE} characters)`] });
  }
  if (typeof description === 'string' && description.length > MAX_DESCRIPTION) {
    return failure(400, { description: [`is too long (maximum is ${MAX_DESCRIPTION} characters)`] });
  }
  return undefined;
}

function paged<Entry>(url: URL, entries: readonly Entry[], view: (entry: Entry) => unknown): TrackerReply {
  const size = Math.min(Number(url.searchParams.get('per_page') ?? 20), MAX_PAGE_SIZE);
  const page = Number(url.searchParams.get('page') ?? 1);
  const hasMore = page * size < entries.length;
  const headers = {
    ...{ 'x-page': String(page), 'x-per-page': String(size), 'x-total': String(entries.length) },
    'x-next-page': hasMore ? String(page + 1) : '',
    ...(hasMore ? { link: `<${nextPage(url, page + 1)}>; rel="next"` } : {}),
  };
  return { status: 200, headers, body: entries.slice((page - 1) * size, page * size).map(view) };
}

function nextPage(url: URL, page: number): string {
  const next = new URL(url);
  next.searchParams.set('page', String(page));
  return next.href;
}
