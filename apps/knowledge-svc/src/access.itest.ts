import { afterAll, beforeAll } from '@jest/globals';
import { useTestEnvironment } from '@clew/testing';
import { describeAccess, type GuardedRoute } from '@clew/testing/identities';
import { OTHER_PROJECT_ID, startTestService, type TestService } from './test-support/service.ts';

const environment = useTestEnvironment();
let service: TestService;

beforeAll(async () => {
  service = await startTestService(environment);
});

afterAll(() => service.stop());

const READ = { scope: 'workspace:read', permission: 'project:read' } as const;
const WRITE = { scope: 'workspace:write', permission: 'project:update' } as const;

const GOAL = `/goals/goal_${'1'.repeat(26)}`;
const BACKFILL = `${GOAL}/backfills/kbfill_${'1'.repeat(26)}`;
const ITEM = `/items/kitm_${'1'.repeat(26)}`;
const NEW_ITEM = { goalId: `goal_${'1'.repeat(26)}`, title: 'x', content: 'y', kind: 'fact' };
const NEW_GOAL = { name: 'Facts', instruction: 'Learn facts' };

const ROUTES: readonly GuardedRoute[] = [
  { call: { path: '/settings' }, needs: READ, answers: 200 },
  { call: { method: 'PATCH', path: '/settings', body: { extractionEnabled: false } }, needs: WRITE, answers: 200 },
  { call: { path: '/goals' }, needs: READ, answers: 200 },
  { call: { method: 'POST', path: '/goals', body: NEW_GOAL }, needs: WRITE, answers: 201 },
  { call: { path: GOAL }, needs: READ, answers: 404 },
  { call: { method: 'PATCH', path: GOAL, body: { status: 'paused' } }, needs: WRITE, answers: 404 },
  { call: { path: `${GOAL}/backfills` }, needs: READ, answers: 404 },
  { call: { method: 'POST', path: `${GOAL}/backfills`, body: { startMs: 1, endMs: 2 } }, needs: WRITE, answers: 404 },
  { call: { path: BACKFILL }, needs: READ, answers: 404 },
  { call: { method: 'POST', path: `${BACKFILL}/cancel` }, needs: WRITE, answers: 404 },
  { call: { path: '/items' }, needs: READ, answers: 200 },
  { call: { path: '/export' }, needs: READ, answers: 200 },
  { call: { path: ITEM }, needs: READ, answers: 404 },
  { call: { method: 'PATCH', path: ITEM, body: { status: 'archived' } }, needs: WRITE, answers: 404 },
  { call: { path: `${ITEM}/revisions` }, needs: READ, answers: 404 },
  { call: { method: 'POST', path: '/items', body: NEW_ITEM }, needs: WRITE, answers: 404 },
  { call: { method: 'POST', path: `${ITEM}/undo` }, needs: WRITE, answers: 404 },
  { call: { path: '/search?q=refunds' }, needs: READ, answers: 200 },
  { call: { method: 'POST', path: '/context', body: { q: 'refunds' } }, needs: READ, answers: 200 },
  { call: { method: 'POST', path: '/subject-erasures', body: { subject: 'Anna' } }, needs: WRITE, answers: 200 },
];

describeAccess(ROUTES, { call: (call) => service.call(call), otherProjectId: OTHER_PROJECT_ID });
