import { afterAll, beforeAll } from '@jest/globals';
import { useTestEnvironment } from '@clew/testing';
import { describeAccess, type GuardedRoute } from '@clew/testing/identities';
import { OTHER_PROJECT_ID, PROJECT_ID } from './test-support/results.ts';
import { startTestService, type TestService } from './test-support/service.ts';

const environment = useTestEnvironment();
let service: TestService;

beforeAll(async () => {
  service = await startTestService(environment);
});

afterAll(() => service.stop());

const READ = { scope: 'diagnostics:read', permission: 'project:diagnostics:read' } as const;
const WRITE = { scope: 'diagnostics:write', permission: 'project:diagnostics:write' } as const;

const FINDING = `/findings/fnd_${'1'.repeat(26)}`;
const EXPECTATION = `/expectations/exp_${'1'.repeat(26)}`;
const WEBHOOKS = `//v1/projects/${PROJECT_ID}/webhooks`;
const WEBHOOK = `${WEBHOOKS}/whk_1`;
const NEW_WEBHOOK = { url: 'https://a.example/', events: ['*'] };
const NEW_EXPECTATION = { statement: 'Never pay', check: { form: 'never_call', tools: ['pay'] } };

const ROUTES: readonly GuardedRoute[] = [
  { call: { path: '/findings' }, needs: READ, answers: 200 },
  { call: { path: FINDING }, needs: READ, answers: 404 },
  { call: { path: `${FINDING}/occurrences` }, needs: READ, answers: 404 },
  {
    call: { path: `${FINDING}/occurrence-counts?startMs=0&endMs=1&intervalMs=1000` },
    needs: READ,
    answers: 404,
  },
  { call: { path: `${FINDING}/activity` }, needs: READ, answers: 404 },
  { call: { path: `${FINDING}/activity/act_1` }, needs: READ, answers: 404 },
  { call: { method: 'PATCH', path: FINDING, body: { reviewStatus: 'confirmed' } }, needs: WRITE, answers: 404 },
  { call: { method: 'PUT', path: `${FINDING}/assignee`, body: { assignee: null } }, needs: WRITE, answers: 404 },
  { call: { method: 'PUT', path: `${FINDING}/snooze`, body: { snooze: null } }, needs: WRITE, answers: 404 },
  { call: { method: 'POST', path: `${FINDING}/merge`, body: { into: 'fnd_1' } }, needs: WRITE, answers: 404 },
  { call: { method: 'POST', path: `${FINDING}/unmerge` }, needs: WRITE, answers: 404 },
  { call: { method: 'POST', path: `${FINDING}/split`, body: { signal: 'gone' } }, needs: WRITE, answers: 404 },
  { call: { method: 'POST', path: `${FINDING}/comments`, body: { text: 'seen' } }, needs: WRITE, answers: 404 },
  {
    call: {
      method: 'POST',
      path: '/findings/bulk-updates',
      body: { findingIds: ['fnd_1'], change: { reviewStatus: 'confirmed' } },
    },
    needs: WRITE,
    answers: 200,
  },
  { call: { path: '/settings' }, needs: READ, answers: 200 },
  {
    call: { method: 'PATCH', path: '/settings', body: { automaticSchedulingEnabled: true } },
    needs: WRITE,
    answers: 200,
  },
  { call: { path: '/rules' }, needs: READ, answers: 200 },
  { call: { path: `/rules/rule_${'1'.repeat(26)}` }, needs: READ, answers: 404 },
  {
    call: { method: 'PATCH', path: `/rules/rule_${'1'.repeat(26)}`, body: { enabled: true } },
    needs: WRITE,
    answers: 404,
  },
  {
    call: {
      ...{ method: 'POST', path: `/rules/rule_${'1'.repeat(26)}/backfill-requests` },
      body: { startMs: 1, endMs: 2 },
    },
    needs: WRITE,
    answers: 404,
  },
  {
    call: { path: `/rules/rule_${'1'.repeat(26)}/backfill-requests/rbfill_${'1'.repeat(26)}` },
    needs: READ,
    answers: 404,
  },
  { call: { method: 'POST', path: '/findings/discover', body: {} }, needs: WRITE, answers: 404 },
  {
    call: { method: 'POST', path: '/analysis-runs', body: { conversationId: 'unknown', lastActivityAt: 1 } },
    needs: WRITE,
    answers: 404,
  },
  { call: { path: '/expectations' }, needs: READ, answers: 200 },
  { call: { method: 'POST', path: '/expectations', body: NEW_EXPECTATION }, needs: WRITE, answers: 201 },
  { call: { path: EXPECTATION }, needs: READ, answers: 404 },
  { call: { method: 'PATCH', path: EXPECTATION, body: { status: 'off' } }, needs: WRITE, answers: 404 },
  { call: { method: 'DELETE', path: EXPECTATION }, needs: WRITE, answers: 404 },
  { call: { method: 'POST', path: `${EXPECTATION}/check` }, needs: READ, answers: 404 },
  { call: { path: WEBHOOKS }, needs: READ, answers: 200 },
  { call: { method: 'POST', path: WEBHOOKS, body: NEW_WEBHOOK }, needs: WRITE, answers: 201 },
  { call: { path: WEBHOOK }, needs: READ, answers: 404 },
  { call: { method: 'PATCH', path: WEBHOOK, body: { enabled: false } }, needs: WRITE, answers: 404 },
  { call: { method: 'DELETE', path: WEBHOOK }, needs: WRITE, answers: 404 },
  { call: { method: 'POST', path: `${WEBHOOK}/rotate`, body: {} }, needs: WRITE, answers: 404 },
  { call: { method: 'POST', path: `${WEBHOOK}/test` }, needs: WRITE, answers: 404 },
  { call: { path: `${WEBHOOK}/deliveries` }, needs: READ, answers: 404 },
  { call: { path: `${WEBHOOK}/deliveries/dlv_1` }, needs: READ, answers: 404 },
  { call: { method: 'POST', path: `${WEBHOOK}/deliveries/dlv_1/redeliver` }, needs: WRITE, answers: 404 },
];

describeAccess(ROUTES, { call: (call) => service.call(call), otherProjectId: OTHER_PROJECT_ID });
