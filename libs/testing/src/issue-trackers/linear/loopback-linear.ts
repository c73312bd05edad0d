import { buildSchema, graphql, parse, type ExecutionResult } from 'graphql';
import { CallBudget } from '../board/call-budget.ts';
import { FaultPlan, type Operation } from '../board/faults.ts';
import { IssueBoard } from '../board/issue-board.ts';
import { usualSettings, type LoopbackTracker, type TrackerOptions } from '../board/loopback-tracker.ts';
import { startTrackerServer, type TrackerApi } from '../board/tracker-server.ts';
import type { TrackerReply, TrackerRequest } from '../board/traffic.ts';
import { linearError, resolversOf, type LinearPlace, type LinearSettings } from './linear-resolvers.ts';
import { LINEAR_SCHEMA } from './linear-schema.ts';
import { TEAM } from './linear-views.ts';
import { signLinearDelivery } from './linear-webhooks.ts';

export interface LoopbackLinear extends LoopbackTracker {
  readonly settings: LinearSettings;
}

const TOKEN = 'lin_api_loopbackLoopbackLoopbackLoopbackLoopback';
const SECRET = 'lin_wh_loopbackLoopbackLoopback';
const SCHEMA = buildSchema(LINEAR_SCHEMA);

/** Starts Linear on loopback. */
export async function startLoopbackLinear({
  now = Date.now,
  port,
  callsPerHour,
}: TrackerOptions = {}): Promise<LoopbackLinear> {
  const settings: LinearSettings = { ...usualSettings(), errorStatus: 200, emptiesBin: false };
  const [board, faults, budget] = [new IssueBoard(now), new FaultPlan(), new CallBudget(now, callsPerHour)];
  const server = await startTrackerServer(() => linearApi({ board, settings }, budget, now), faults, port);
  return {
    ...{ provider: 'linear', baseUrl: server.url, credentials: { token: TOKEN }, webhookSecret: SECRET },
    destination: { teamId: TEAM.id },
    ...{ requests: server.requests, faults, settings, issues: board.issues, events: board.events, stop: server.stop },
    add: (title, body = '') => board.create({ title, body }),
    put: (issue, state) => board.change(issue, { state }),
    rename: (issue, title) => board.change(issue, { title }),
    remove: (issue) => board.remove(issue),
    move(issue) {
      board.move(issue);
      // Linear keeps the issue, and its id: only the identifier changes.
      issue.gone = null;
    },
    deliveryOf: (event) => signLinearDelivery(event, SECRET),
  };
}

const OPERATIONS: Readonly<Record<string, Operation>> = {
  ...{ viewer: 'test', team: 'test', issue: 'read', comment: 'read', workflowStates: 'read', issues: 'list' },
  ...{ issueCreate: 'create', issueUpdate: 'change', commentCreate: 'comment' },
};

function linearApi(place: LinearPlace, budget: CallBudget, now: () => number): TrackerApi {
  const { settings } = place;
  return {
    prefix: '',
    operationOf: ({ json }) => OPERATIONS[rootFieldOf(String(json['query'] ?? ''))] ?? 'read',
    async reply(request) {
      const isAllowed = budget.take();
      return isAllowed
        ? await route(place, request)
        : limited('reset', (budget.resetMs - now()) / 1_000, now(), settings);
    },
    rateLimited: ({ as, seconds }) => limited(as, seconds, now(), settings),
  };
}

function rootFieldOf(query: string): string {
  try {
    const [definition] = parse(query).definitions;
    const selection =
      definition !== undefined && 'selectionSet' in definition ? definition.selectionSet?.selections[0] : undefined;
    return selection?.kind === 'Field' ? selection.name.value : '';
  } catch {
    return '';
  }
}

async function route(place: LinearPlace, { path, method, headers, json }: TrackerRequest): Promise<TrackerReply> {
  if (path !== '/graphql' || method !== 'POST') return { status: 404, text: 'Not found' };
  // A key of a person is sent without a scheme.
  if (place.settings.isRevoked || headers.authorization !== TOKEN) {
    const error = linearError(
      'Authentication required, not authenticated',
      'authentication error',
      'AUTHENTICATION_ERROR',
    );
    return { status: 401, body: { errors: [error] } };
  }
  const { query, variables } = json as { query?: string; variables?: Record<string, unknown> };
  const result = await graphql({
    ...{ schema: SCHEMA, source: query ?? '', rootValue: resolversOf(place), variableValues: variables },
  });
  return { status: statusOf(result, place.settings), body: result };
}

function statusOf({ errors, data }: ExecutionResult, { errorStatus }: LinearSettings): number {
  if (errors === undefined) return 200;
  // A document that does not fit the schema is not executed at all.
  return data === undefined ? 400 : errorStatus;
}

function limited(
  as: 'asked' | 'reset' | 'bare',
  seconds: number,
  nowMs: number,
  { errorStatus }: LinearSettings,
): TrackerReply {
  const resetMs = String(Math.ceil(nowMs + seconds * 1_000));
  const headers = {
    ...(as === 'bare' ? {} : { 'x-ratelimit-requests-remaining': '0', 'x-ratelimit-requests-reset': resetMs }),
    ...(as === 'asked' ? { 'retry-after': String(seconds) } : {}),
  };
  const error = linearError(
    'Rate limit exceeded',
    'ratelimited',
    'RATELIMITED',
    'Rate limit exceeded. Try again later.',
  );
  return { status: errorStatus, headers, body: { errors: [error] } };
}
