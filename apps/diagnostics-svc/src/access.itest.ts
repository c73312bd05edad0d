import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PERMISSIONS, SCOPES } from '@clew/contracts';
import { useTestEnvironment } from '@clew/testing';
import { keyWith, userWith } from './test-support/identities.ts';
import { OTHER_PROJECT_ID } from './test-support/results.ts';
import { startTestService, type Call, type TestService } from './test-support/service.ts';

const environment = useTestEnvironment();
let service: TestService;

beforeAll(async () => {
  service = await startTestService(environment);
});

afterAll(() => service.stop());

const READ = { scope: 'diagnostics:read', permission: 'project:diagnostics:read' } as const;
const WRITE = { scope: 'diagnostics:write', permission: 'project:diagnostics:write' } as const;

/** Each route with what it needs, and what it answers to those who have it. */
const ROUTES: readonly { call: Call; needs: typeof READ | typeof WRITE; answers: number }[] = [
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

describe.each(ROUTES.map((route) => ({ name: `${route.call.method ?? 'GET'} ${route.call.path}`, ...route })))(
  '$name',
  ({ call, needs, answers }) => {
    it('answers those who have the scope or the permission', async () => {
      expect(await service.call({ ...call, principal: keyWith(needs.scope) })).toMatchObject({ status: answers });
      expect(await service.call({ ...call, principal: userWith(needs.permission) })).toMatchObject({ status: answers });
    });

    it('answers 403, and names what is missing, to those who have everything else', async () => {
      const scopes = SCOPES.filter((scope) => scope !== needs.scope);
      const permissions = PERMISSIONS.filter((permission) => permission !== needs.permission);
      expect(await service.call({ ...call, principal: keyWith(...scopes) })).toMatchObject({
        status: 403,
        body: { code: 'FORBIDDEN', message: `The scope ${needs.scope} is required` },
      });
      expect(await service.call({ ...call, principal: userWith(...permissions) })).toMatchObject({
        status: 403,
        body: { code: 'FORBIDDEN', message: `The permission ${needs.permission} is required` },
      });
    });

    it('answers 401 without identity', async () => {
      expect(await service.call({ ...call, principal: null })).toMatchObject({
        status: 401,
        body: { code: 'UNAUTHENTICATED' },
      });
    });

    it('answers 404 to the identity of another project, of no project, and of a service', async () => {
      const stranger = await service.call({ ...call, identityProject: OTHER_PROJECT_ID });
      const anybody = await service.call({ ...call, projectId: 'prj_1', identityProject: OTHER_PROJECT_ID });
      const worker = await service.call({ ...call, principal: { kind: 'service', id: 'jobs-worker' } });
      for (const { status, body } of [stranger, anybody, worker]) {
        expect({ status, code: body['code'] }).toEqual({ status: 404, code: 'NOT_FOUND' });
      }
    });
  },
);
