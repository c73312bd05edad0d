import { CallBudget } from '../board/call-budget.ts';
import { FaultPlan } from '../board/faults.ts';
import { IssueBoard } from '../board/issue-board.ts';
import {
  usualSettings,
  type LoopbackTracker,
  type TrackerOptions,
  type TrackerSettings,
} from '../board/loopback-tracker.ts';
import { startTrackerServer, type TrackerApi } from '../board/tracker-server.ts';
import type { TrackerReply, TrackerRequest } from '../board/traffic.ts';
import { createIssue, failure, listIssues, notes, ofIssue, type GitLabPlace } from './gitlab-issues.ts';
import { projectView, USER } from './gitlab-views.ts';
import { signGitLabDelivery } from './gitlab-webhooks.ts';

export interface GitLabSettings extends TrackerSettings {
  /** Signing token of the webhook (`whsec_...`); it only has the plain token without. */
  signingToken: string | undefined;
}

export interface LoopbackGitLab extends LoopbackTracker {
  readonly settings: GitLabSettings;
}

const TOKEN = 'glpat-loopbackLoopbackLoop';
const SECRET = 'gitlab-webhook-token';
const PREFIX = '/api/v4';
const PROJECT = { id: 42, path: 'acme/web/shop' };

/** Starts GitLab on loopback. */
export async function startLoopbackGitLab({
  now = Date.now,
  port,
  callsPerHour,
}: TrackerOptions = {}): Promise<LoopbackGitLab> {
  const settings: GitLabSettings = { ...usualSettings(), signingToken: undefined };
  const [board, faults, budget] = [new IssueBoard(now), new FaultPlan(), new CallBudget(now, callsPerHour)];
  const apiOf = (webUrl: string) => gitLabApi({ board, settings, project: { ...PROJECT, webUrl } }, budget, now);
  const server = await startTrackerServer(apiOf, faults, port);
  return {
    ...{ provider: 'gitlab', baseUrl: server.url, credentials: { token: TOKEN }, webhookSecret: SECRET },
    destination: { projectId: PROJECT.path },
    ...{ requests: server.requests, faults, settings, issues: board.issues, events: board.events, stop: server.stop },
    add: (title, body = '') => board.create({ title, body }),
    put: (issue, state) => board.change(issue, { state }),
    rename: (issue, title) => board.change(issue, { title }),
    remove: (issue) => board.remove(issue),
    move: (issue) => board.move(issue),
    deliveryOf: (event) =>
      signGitLabDelivery(
        event,
        { ...PROJECT, webUrl: server.url },
        { token: SECRET, signingToken: settings.signingToken },
      ),
  };
}

function gitLabApi(place: GitLabPlace, budget: CallBudget, now: () => number): TrackerApi {
  return {
    prefix: PREFIX,
    operationOf({ method, path }) {
      if (path === '/user' || /^\/projects\/[^/]+$/.test(path)) return 'test';
      if (path.endsWith('/notes')) return method === 'GET' ? 'list' : 'comment';
      if (path.endsWith('/issues')) return method === 'POST' ? 'create' : 'list';
      return method === 'GET' ? 'read' : 'change';
    },
    reply(request) {
      const isAllowed = budget.take();
      const reply = isAllowed ? route(place, request) : limited('reset', (budget.resetMs - now()) / 1_000, now());
      const headers = {
        'ratelimit-limit': '2000',
        'ratelimit-remaining': String(budget.remaining),
        'ratelimit-reset': String(Math.ceil(budget.resetMs / 1_000)),
      };
      return { ...reply, headers: { ...headers, ...reply.headers } };
    },
    rateLimited: ({ as, seconds }) => limited(as, seconds, now()),
  };
}

function limited(as: 'asked' | 'reset' | 'bare', seconds: number, nowMs: number): TrackerReply {
  const resetS = String(Math.ceil(nowMs / 1_000 + seconds));
  const reset = as === 'bare' ? {} : { 'ratelimit-remaining': '0', 'ratelimit-reset': resetS };
  const asked = as === 'asked' ? { 'retry-after': String(seconds) } : {};
  return { status: 429, headers: { 'content-type': 'text/plain', ...reset, ...asked }, text: 'Retry later\n' };
}

function route(place: GitLabPlace, request: TrackerRequest): TrackerReply {
  const { headers, method, path } = request;
  const { settings, project, board } = place;
  const isKnown = headers['private-token'] === TOKEN || headers.authorization === `Bearer ${TOKEN}`;
  if (settings.isRevoked || !isKnown) return failure(401, '401 Unauthorized');
  if (path === '/user') return { status: 200, body: USER };
  const [, id = '', rest = ''] = /^\/projects\/([^/]+)(\/.*)?$/.exec(path) ?? [];
  const isProject = [String(project.id), project.path].includes(decodeURIComponent(id));
  if (!isProject || settings.isHidden) return failure(404, '404 Project Not Found');
  if (rest === '') return { status: 200, body: projectView(project, !settings.issuesDisabled) };
  if (rest === '/issues') return method === 'POST' ? createIssue(place, request) : listIssues(place, request);
  const [, iid, notesPath] = /^\/issues\/(\d+)(\/notes)?$/.exec(rest) ?? [];
  const issue = board.issues.find(({ number, gone }) => number === Number(iid) && gone !== 'deleted');
  if (issue === undefined) return failure(404, '404 Not found');
  return notesPath === undefined ? ofIssue(place, issue, request) : notes(place, issue, request);
}
