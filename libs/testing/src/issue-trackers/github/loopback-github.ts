import { CallBudget } from '../board/call-budget.ts';
import { FaultPlan } from '../board/faults.ts';
import { IssueBoard, type HostedIssue } from '../board/issue-board.ts';
import {
  usualSettings,
  type LoopbackTracker,
  type TrackerOptions,
  type TrackerSettings,
} from '../board/loopback-tracker.ts';
import { startTrackerServer, type TrackerApi } from '../board/tracker-server.ts';
import type { TrackerReply, TrackerRequest } from '../board/traffic.ts';
import {
  comments,
  createIssue,
  listIssues,
  readIssue,
  searchIssues,
  updateIssue,
  type GitHubPlace,
} from './github-issues.ts';
import { budgetHeaders, failure, limited } from './github-replies.ts';
import { repositoryView, userView } from './github-views.ts';
import { signGitHubDelivery } from './github-webhooks.ts';

export interface GitHubSettings extends TrackerSettings {
  /** The repository has another name now; the old one redirects. */
  isRenamed: boolean;
}

export interface LoopbackGitHub extends LoopbackTracker {
  readonly settings: GitHubSettings;
  addPullRequest(title: string): HostedIssue;
}

const TOKEN = 'github_pat_11LOOPBACK0000000000000_loopbackLoopbackLoopbackLoopbackLoopbackLoop';
const SECRET = "It's a Secret to Everybody";
const PREFIX = '/api/v3';
const NOT_FOUND = failure(404, 'Not Found');

/** Starts GitHub on loopback, in the form of GitHub Enterprise Server. */
export async function startLoopbackGitHub({
  now = Date.now,
  port,
  callsPerHour,
}: TrackerOptions = {}): Promise<LoopbackGitHub> {
  const settings: GitHubSettings = { ...usualSettings(), isRenamed: false };
  const [board, faults, budget] = [new IssueBoard(now), new FaultPlan(), new CallBudget(now, callsPerHour)];
  const repository = { id: 1_296_269, owner: 'acme', name: 'shop', isOther: false };
  const other = { id: 1_296_270, owner: 'acme', name: 'elsewhere', isOther: true };
  const placeAt = (webUrl: string): GitHubPlace => ({
    ...{ board, repository, other, settings, webUrl, apiUrl: webUrl + PREFIX },
  });
  const server = await startTrackerServer((url) => gitHubApi(placeAt(url), settings, budget, now), faults, port);
  const place = placeAt(server.url);
  return {
    ...{ provider: 'github', baseUrl: server.url, credentials: { token: TOKEN }, webhookSecret: SECRET },
    destination: { owner: repository.owner, repo: repository.name },
    ...{ requests: server.requests, faults, settings, issues: board.issues, events: board.events, stop: server.stop },
    add: (title, body = '') => board.create({ title, body }),
    addPullRequest: (title) => board.create({ title, body: '', isPullRequest: true }),
    put: (issue, state) => board.change(issue, { state }),
    rename: (issue, title) => board.change(issue, { title }),
    remove: (issue) => board.remove(issue),
    move: (issue) => board.move(issue),
    deliveryOf: (event) => signGitHubDelivery(event, place, SECRET),
  };
}

function gitHubApi(place: GitHubPlace, settings: GitHubSettings, budget: CallBudget, now: () => number): TrackerApi {
  return {
    prefix: PREFIX,
    operationOf({ method, path }) {
      if (path === '/user' || /^\/repos\/[^/]+\/[^/]+$/.test(path)) return 'test';
      if (path.endsWith('/comments')) return method === 'GET' ? 'list' : 'comment';
      if (path.endsWith('/issues')) return method === 'POST' ? 'create' : 'list';
      return method === 'GET' ? 'read' : 'change';
    },
    reply(request) {
      const isAllowed = budget.take();
      const reply = isAllowed ? route(place, settings, request) : limited('reset', 0, budget.resetMs);
      return { ...reply, headers: { ...budgetHeaders(budget), ...reply.headers } };
    },
    rateLimited: ({ as, seconds }) => limited(as, seconds, now()),
  };
}

function route(place: GitHubPlace, settings: GitHubSettings, request: TrackerRequest): TrackerReply {
  const { headers, method, path } = request;
  if (headers['user-agent'] === undefined) return failure(403, 'Request forbidden by administrative rules.');
  if (settings.isRevoked || headers.authorization !== `Bearer ${TOKEN}`) return failure(401, 'Bad credentials');
  if (path === '/user') return { status: 200, body: userView() };
  if (path === '/search/issues') return searchIssues(place, request);
  if (settings.isHidden) return NOT_FOUND;
  const found = repositoryIn(path, place);
  if (found === undefined) return NOT_FOUND;
  const { repository, rest, isByName } = found;
  if (isByName && !repository.isOther && settings.isRenamed) {
    return redirect(`${place.apiUrl}/repositories/${repository.id}${rest}${request.url.search}`, method);
  }
  const here = { ...place, repository };
  if (rest === '') return { status: 200, body: repositoryView(repository, viewOptions(place)) };
  if (rest === '/issues') return method === 'POST' ? createIssue(here, request) : listIssues(here, request);
  return ofIssue(here, request, rest);
}

/** Finds the repository of a path, by its name or its id. */
function repositoryIn(path: string, { repository, other }: GitHubPlace) {
  for (const each of [repository, other]) {
    for (const base of [`/repos/${each.owner}/${each.name}`, `/repositories/${each.id}`]) {
      const isIt = path.toLowerCase() === base || path.toLowerCase().startsWith(`${base}/`);
      if (isIt) return { repository: each, rest: path.slice(base.length), isByName: base.startsWith('/repos/') };
    }
  }
  return undefined;
}

function redirect(location: string, method: string): TrackerReply {
  const body = { message: 'Moved Permanently', url: location, documentation_url: 'https://docs.github.com/rest' };
  return { status: method === 'GET' ? 301 : 307, headers: { location }, body };
}

function ofIssue(place: GitHubPlace, request: TrackerRequest, path: string): TrackerReply {
  const [, number, rest = ''] = /^\/issues\/(\d+)(\/comments)?$/.exec(path) ?? [];
  const { isOther } = place.repository;
  const issue = place.board.issues.find((each) => (isOther ? each.movedTo : each.number) === Number(number));
  if (issue === undefined) return NOT_FOUND;
  if (issue.gone === 'deleted') return failure(410, 'This issue was deleted');
  if (issue.gone === 'moved' && !isOther) {
    const location = `${place.apiUrl}/repositories/${place.other.id}/issues/${issue.movedTo}${rest}`;
    return redirect(location, request.method);
  }
  return act(place, request, issue, rest);
}

function act(place: GitHubPlace, request: TrackerRequest, issue: HostedIssue, rest: string): TrackerReply {
  if (rest === '/comments') return comments(place, issue, request);
  return request.method === 'PATCH' ? updateIssue(place, issue, request) : readIssue(place, issue);
}

function viewOptions({ webUrl, settings }: GitHubPlace) {
  return { webUrl, hasIssues: !settings.issuesDisabled, canPush: !settings.isReadOnly };
}
