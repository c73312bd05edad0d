import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PERMISSIONS, SCOPES } from '@clew/contracts';
import { newId } from '@clew/kernel';
import { useTestEnvironment } from '@clew/testing';
import { keyWith, userWith } from './test-support/identities.ts';
import {
  CHAT_V1,
  manualExample,
  OTHER_PROJECT_ID,
  startTestService,
  type Call,
  type TestService,
} from './test-support/service.ts';

const environment = useTestEnvironment();
let service: TestService;

beforeAll(async () => {
  service = await startTestService(environment);
});

afterAll(() => service.stop());

const READ = { scope: 'workspace:read', permission: 'project:data:read' } as const;
const WRITE = { scope: 'models:manage', permission: 'project:data:write' } as const;
const MISSING = `/datasets/${newId('dst')}`;

/** Each route with what it needs, and what it answers to those who have it. */
const ROUTES: readonly { call: Call; needs: typeof READ | typeof WRITE; answers: number }[] = [
  { call: { path: '/datasets' }, needs: READ, answers: 200 },
  { call: { method: 'POST', path: '/datasets', body: { name: 'x', schema: CHAT_V1 } }, needs: WRITE, answers: 201 },
  { call: { path: MISSING }, needs: READ, answers: 404 },
  { call: { method: 'PATCH', path: MISSING, body: { name: 'x' } }, needs: WRITE, answers: 404 },
  { call: { method: 'DELETE', path: MISSING }, needs: WRITE, answers: 404 },
  { call: { path: `${MISSING}/examples` }, needs: READ, answers: 404 },
  { call: { method: 'POST', path: `${MISSING}/examples`, body: manualExample() }, needs: WRITE, answers: 404 },
  {
    call: { method: 'POST', path: `${MISSING}/examples/batch`, body: { examples: [manualExample()] } },
    needs: WRITE,
    answers: 404,
  },
  { call: { path: `${MISSING}/examples/${newId('ex')}` }, needs: READ, answers: 404 },
  {
    call: { method: 'PATCH', path: `${MISSING}/examples/${newId('ex')}`, body: { tags: [] } },
    needs: WRITE,
    answers: 404,
  },
  { call: { method: 'DELETE', path: `${MISSING}/examples/${newId('ex')}` }, needs: WRITE, answers: 404 },
  { call: { path: `${MISSING}/versions` }, needs: READ, answers: 404 },
  { call: { path: `${MISSING}/versions/diff?from=0&to=0` }, needs: READ, answers: 404 },
  { call: { method: 'POST', path: `${MISSING}/imports?format=jsonl`, body: {} }, needs: WRITE, answers: 404 },
  { call: { path: `${MISSING}/export` }, needs: READ, answers: 404 },
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
      expect(await service.call({ ...call, principal: userWith(...permissions) })).toMatchObject({ status: 403 });
    });

    it('answers 401 without identity, and 404 to that of another project', async () => {
      expect(await service.call({ ...call, principal: null })).toMatchObject({ status: 401 });
      const stranger = await service.call({ ...call, identityProject: OTHER_PROJECT_ID });
      expect({ status: stranger.status, code: stranger.body['code'] }).toEqual({ status: 404, code: 'NOT_FOUND' });
    });
  },
);
