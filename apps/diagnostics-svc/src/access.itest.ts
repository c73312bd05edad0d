import { afterAll, beforeAll } from '@jest/globals';
import { useTestEnvironment } from '@clew/testing';
import { describeAccess, type GuardedRoute } from '@clew/testing/identities';
import { OTHER_PROJECT_ID } from './test-support/results.ts';
import { startTestService, type TestService } from './test-support/service.ts';

const environment = useTestEnvironment();
let service: TestService;

beforeAll(async () => {
  service = await startTestService(environment);
});

afterAll(() => service.stop());

const READ = { scope: 'diagnostics:read', permission: 'project:diagnostics:read' } as const;
const WRITE = { scope: 'diagnostics:write', permission: 'project:diagnostics:write' } as const;

const ROUTES: readonly GuardedRoute[] = [
  { call: { path: '/findings' }, needs: READ, answers: 200 },
  { call: { path: `/findings/fnd_${'1'.repeat(26)}` }, needs: READ, answers: 404 },
  { call: { path: '/settings' }, needs: READ, answers: 200 },
  {
    call: { method: 'PATCH', path: '/settings', body: { automaticSchedulingEnabled: true } },
    needs: WRITE,
    answers: 200,
  },
  {
    call: { method: 'POST', path: '/analysis-runs', body: { conversationId: 'unknown', lastActivityAt: 1 } },
    needs: WRITE,
    answers: 404,
  },
];

describeAccess(ROUTES, { call: (call) => service.call(call), otherProjectId: OTHER_PROJECT_ID });
