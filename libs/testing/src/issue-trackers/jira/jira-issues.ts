import type { HostedIssue, HostedState, IssueBoard } from '../board/issue-board.ts';
import type { TrackerSettings } from '../board/loopback-tracker.ts';
import type { TrackerReply, TrackerRequest } from '../board/traffic.ts';
import { isDocument } from './document.ts';
import {
  commentView,
  issueView,
  keyOf,
  statusView,
  TYPES,
  type HostedJiraProject,
  type StatusName,
} from './jira-views.ts';

const MAX_TEXT = 32_767;
const MAX_SUMMARY = 255;

export interface JiraSettings extends TrackerSettings {
  /** Transitions do not name the state that they lead to. */
  hidesTargets: boolean;
  /** The workflow has no transition out of a state that is done. */
  cannotReopen: boolean;
  /** The screen for new issues has no field for labels. */
  hasNoLabels: boolean;
}

export interface JiraPlace {
  board: IssueBoard;
  project: HostedJiraProject;
  settings: JiraSettings;
  now: () => number;
}

export function failure(
  status: number,
  messages: readonly string[],
  errors: Record<string, string> = {},
): TrackerReply {
  return { status, body: { errorMessages: messages, errors } };
}

export function createIssue({ board, project, settings }: JiraPlace, { json }: TrackerRequest): TrackerReply {
  const fields = (json['fields'] ?? {}) as Record<string, unknown>;
  const { key } = (fields['project'] ?? {}) as { key?: string };
  if (key !== project.key) return failure(400, [], { project: 'valid project is required' });
  if (settings.isReadOnly || settings.issuesDisabled) {
    return failure(403, ['You do not have permission to create issues in this project.']);
  }
  const { id } = (fields['issuetype'] ?? {}) as { id?: string };
  const type = TYPES.find((each) => each.id === id && !each.subtask);
  if (type === undefined) return failure(400, [], { issuetype: 'Specify a valid issue type' });
  const problems = problemsIn(fields);
  if ('labels' in fields && settings.hasNoLabels) {
    problems['labels'] = "Field 'labels' cannot be set. It is not on the appropriate screen, or unknown.";
  }
  if (Object.keys(problems).length > 0) return failure(400, [], problems);
  const labels = settings.dropsLabels || !Array.isArray(fields['labels']) ? [] : fields['labels'].map(String);
  const issue = board.create({ title: String(fields['summary']), body: fields['description'] ?? null, labels });
  const self = `${project.siteUrl}/rest/api/3/issue/${issue.id}`;
  return { status: 201, body: { id: String(issue.id), key: keyOf(issue, project), self } };
}

export function ofIssue(
  { board, project, settings }: JiraPlace,
  issue: HostedIssue,
  request: TrackerRequest,
): TrackerReply {
  if (request.method === 'GET') {
    const fields = request.url.searchParams.get('fields')?.split(',') ?? ['*all'];
    return { status: 200, body: issueView(issue, project, fields) };
  }
  if (settings.isReadOnly) return failure(403, ['You do not have permission to edit issues in this project.']);
  const fields = (request.json['fields'] ?? {}) as Record<string, unknown>;
  const problems = problemsIn({ summary: issue.title, ...fields });
  if (Object.keys(problems).length > 0) return failure(400, [], problems);
  board.change(issue, {
    ...('summary' in fields ? { title: String(fields['summary']) } : {}),
    ...('description' in fields ? { body: fields['description'] } : {}),
  });
  return { status: 204 };
}

interface Workflow {
  id: string;
  name: string;
  to: StatusName;
  state: HostedState;
}

const WORKFLOW: readonly Workflow[] = [
  { id: '11', name: 'To Do', to: 'todo', state: 'open' },
  { id: '21', name: 'In Progress', to: 'progress', state: 'in_progress' },
  { id: '41', name: 'Reject', to: 'rejected', state: 'not_planned' },
  { id: '31', name: 'Done', to: 'done', state: 'completed' },
];

export function transitions(
  { board, project, settings }: JiraPlace,
  issue: HostedIssue,
  request: TrackerRequest,
): TrackerReply {
  const isOpen = issue.state === 'open' || issue.state === 'in_progress';
  const possible = WORKFLOW.filter(({ state }) => state !== issue.state && (isOpen || !settings.cannotReopen));
  if (request.method === 'GET') {
    const views = possible.map(({ id, name, to }) => ({
      ...{ id, name, hasScreen: false, isGlobal: true, isInitial: false, isAvailable: true, isConditional: false },
      ...(settings.hidesTargets ? {} : { to: statusView(to, project.siteUrl) }),
    }));
    return { status: 200, body: { expand: 'transitions', transitions: views } };
  }
  if (settings.isReadOnly) return failure(403, ['You do not have permission to transition this issue.']);
  const { id } = (request.json['transition'] ?? {}) as { id?: string };
  const chosen = possible.find((each) => each.id === id);
  if (chosen === undefined) return failure(400, [`Transition id '${id}' is not valid for this issue.`]);
  board.change(issue, { state: chosen.state });
  return { status: 204 };
}

export function comments(
  { board, project, settings }: JiraPlace,
  issue: HostedIssue,
  request: TrackerRequest,
): TrackerReply {
  if (request.method === 'GET') {
    const query = request.url.searchParams;
    const [startAt, maxResults] = [Number(query.get('startAt') ?? 0), Number(query.get('maxResults') ?? 100)];
    const shown = issue.comments.slice(startAt, startAt + maxResults).map((each) => commentView(each, project.siteUrl));
    return { status: 200, body: { startAt, maxResults, total: issue.comments.length, comments: shown } };
  }
  if (settings.isReadOnly) return failure(403, ['You do not have permission to comment on this issue.']);
  const { body } = request.json;
  if (!isDocument(body)) return failure(400, [], { comment: 'Comment body is not valid!' });
  return { status: 201, body: commentView(board.comment(issue, body), project.siteUrl) };
}

function problemsIn({ summary, description }: Readonly<Record<string, unknown>>): Record<string, string> {
  const problems: Record<string, string> = {};
  if (typeof summary !== 'string' || summary.trim() === '')
    problems['summary'] = 'You must specify a summary of the issue.';
  else if (summary.includes('\n'))
    problems['summary'] = 'The summary is invalid because it contains newline characters.';
  else if (summary.length > MAX_SUMMARY) problems['summary'] = `Summary can't exceed ${MAX_SUMMARY} characters.`;
  if (description != null && !isDocument(description)) {
    problems['description'] = 'Operation value must be an Atlassian Document (see the Atlassian Document Format)';
  } else if (JSON.stringify(description ?? null).length > MAX_TEXT) {
    problems['description'] = `The entered text is too long. It exceeds the allowed limit of ${MAX_TEXT} characters.`;
  }
  return problems;
}
