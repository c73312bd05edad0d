import { CallBudget } from '../board/call-budget.ts';
import { FaultPlan } from '../board/faults.ts';
import { IssueBoard } from '../board/issue-board.ts';
import { usualSettings, type LoopbackTracker, type TrackerOptions } from '../board/loopback-tracker.ts';
import { startTrackerServer, type TrackerApi } from '../board/tracker-server.ts';
import type { TrackerReply, TrackerRequest } from '../board/traffic.ts';
import { documentOf } from './document.ts';
import {
  comments,
  createIssue,
  failure,
  ofIssue,
  transitions,
  type JiraPlace,
  type JiraSettings,
} from './jira-issues.ts';
import { search } from './jira-search.ts';
import { keyOf, TYPES, userView } from './jira-views.ts';
import { signJiraDelivery } from './jira-webhooks.ts';

export interface LoopbackJira extends LoopbackTracker {
  readonly settings: JiraSettings;
}

const EMAIL = 'bot@acme.example';
const TOKEN = 'ATATT3xFfGF0loopbackLoopbackLoopback';
const SECRET = 'jira-webhook-secret';
const PREFIX = '/rest/api/3';
const KEY = 'SHOP';

/** Starts Jira Cloud on loopback. */
export async function startLoopbackJira({
  now = Date.now,
  port,
  callsPerHour,
}: TrackerOptions = {}): Promise<LoopbackJira> {
  const settings: JiraSettings = { ...usualSettings(), hidesTargets: false, cannotReopen: false, hasNoLabels: false };
  const [board, faults, budget] = [new IssueBoard(now), new FaultPlan(), new CallBudget(now, callsPerHour)];
  const apiOf = (siteUrl: string) => jiraApi({ board, settings, now, project: { key: KEY, siteUrl } }, budget);
  const server = await startTrackerServer(apiOf, faults, port);
  return {
    ...{ provider: 'jira', baseUrl: server.url, credentials: { email: EMAIL, token: TOKEN }, webhookSecret: SECRET },
    destination: { projectKey: KEY },
    ...{ requests: server.requests, faults, settings, issues: board.issues, events: board.events, stop: server.stop },
    add: (title, body = '') => board.create({ title, body: documentOf(body) }),
    put: (issue, state) => board.change(issue, { state }),
    rename: (issue, title) => board.change(issue, { title }),
    remove: (issue) => board.remove(issue),
    move(issue) {
      board.move(issue);
      // Jira keeps the issue, and its id: only the key changes.
      issue.gone = null;
    },
    deliveryOf: (event) => signJiraDelivery(event, { key: KEY, siteUrl: server.url }, SECRET),
  };
}

function jiraApi(place: JiraPlace, budget: CallBudget): TrackerApi {
  const { now } = place;
  return {
    prefix: PREFIX,
    operationOf({ method, path }) {
      if (path.startsWith('/search')) return 'list';
      if (!path.startsWith('/issue')) return 'test';
      if (path === '/issue') return 'create';
      if (path.endsWith('/comment')) return method === 'GET' ? 'list' : 'comment';
      return method === 'GET' ? 'read' : 'change';
    },
    reply: (request) =>
      budget.take() ? route(place, request) : limited('reset', (budget.resetMs - now()) / 1_000, now()),
    rateLimited: ({ as, seconds }) => limited(as, seconds, now()),
  };
}

function limited(as: 'asked' | 'reset' | 'bare', seconds: number, nowMs: number): TrackerReply {
  const headers = {
    ...(as === 'bare' ? {} : { 'x-ratelimit-remaining': '0', 'ratelimit-reason': 'jira-burst-based' }),
    ...(as === 'reset' ? { 'x-ratelimit-reset': new Date(nowMs + seconds * 1_000).toISOString() } : {}),
    ...(as === 'asked' ? { 'retry-after': String(seconds) } : {}),
  };
  return { ...failure(429, ['Rate limit exceeded.']), headers };
}

function route(place: JiraPlace, request: TrackerRequest): TrackerReply {
  const { settings, project, board } = place;
  const { path, method, headers } = request;
  const basic = `Basic ${Buffer.from(`${EMAIL}:${TOKEN}`).toString('base64')}`;
  if (settings.isRevoked || headers.authorization !== basic) {
    return {
      status: 401,
      body: { message: 'Client must be authenticated to access this resource.', 'status-code': 401 },
    };
  }
  if (path === '/myself') return { status: 200, body: userView(project.siteUrl) };
  if (path === '/mypermissions') return permissions(!settings.isReadOnly && !settings.issuesDisabled);
  if (path === `/project/${project.key}` && !settings.isHidden) return projectReply(place);
  if (path.startsWith('/project/')) {
    return failure(404, [`No project could be found with key '${path.slice('/project/'.length)}'.`]);
  }
  if (path === '/search')
    return failure(410, ['The requested API has been removed. Please migrate to the /rest/api/3/search/jql API.']);
  if (settings.isHidden) return NO_ISSUE;
  if (path === '/search/jql') return search(place, request);
  if (path === '/issue' && method === 'POST') return createIssue(place, request);
  const [, name = '', rest] = /^\/issue\/([^/]+)(?:\/(transitions|comment))?$/.exec(path) ?? [];
  const issue = board.issues.find(
    (each) =>
      each.gone === null && [String(each.id), keyOf(each, project), `${project.key}-${each.number}`].includes(name),
  );
  if (issue === undefined) return NO_ISSUE;
  if (rest === 'transitions') return transitions(place, issue, request);
  return rest === 'comment' ? comments(place, issue, request) : ofIssue(place, issue, request);
}

const NO_ISSUE = failure(404, ['Issue does not exist or you do not have permission to see it.']);

function permissions(havePermission: boolean): TrackerReply {
  const permission = {
    id: '11',
    key: 'CREATE_ISSUES',
    name: 'Create Issues',
    type: 'PROJECT',
    description: '',
    havePermission,
  };
  return { status: 200, body: { permissions: { CREATE_ISSUES: permission } } };
}

function projectReply({ project: { key, siteUrl } }: JiraPlace): TrackerReply {
  const issueTypes = TYPES.map((type) => ({
    ...type,
    self: `${siteUrl}${PREFIX}/issuetype/${type.id}`,
    description: '',
  }));
  return {
    status: 200,
    body: { id: '10000', key, name: 'Shop', self: `${siteUrl}${PREFIX}/project/10000`, issueTypes },
  };
}
