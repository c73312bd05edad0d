import { afterAll, beforeAll } from '@jest/globals';
import { newId } from '@clew/kernel';
import { useTestEnvironment } from '@clew/testing';
import { describeAccess, type GuardedRoute } from '@clew/testing/identities';
import {
  CHAT_V1,
  manualExample,
  OTHER_PROJECT_ID,
  startTestService,
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

const ROUTES: readonly GuardedRoute[] = [
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

describeAccess(ROUTES, { call: (call) => service.call(call), otherProjectId: OTHER_PROJECT_ID });
