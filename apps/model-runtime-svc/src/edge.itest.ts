import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as contracts from '@clew/contracts';
import type { RouteSpec } from '@clew/contracts';
import { newId } from '@clew/kernel';
import { useTestEnvironment } from '@clew/testing';
import { startProvider, type ScriptedProvider } from '@clew/testing/provider';
import { keyWith } from '@clew/testing/identities';
import { startTestService, type Call, type TestService } from './test-support/service.ts';

const environment = useTestEnvironment();
let service: TestService;
let provider: ScriptedProvider;
const projectId = newId('prj');

const runtimeRoutes = Object.values(contracts as Record<string, unknown>).filter(
  (value): value is RouteSpec =>
    typeof value === 'object' &&
    value !== null &&
    'operationId' in value &&
    (value as RouteSpec).tag === 'Model Runtime',
);

beforeAll(async () => {
  service = await startTestService(environment, { env: { DEPLOYMENT_TARGET: 'edge' } });
  provider = await startProvider();
});

afterAll(async () => {
  await service.stop();
  await provider.stop();
});

describe('an edge deployment', () => {
  it('answers each route of the Model Runtime with 503 MODEL_RUNTIME_UNAVAILABLE, whatever the request holds', async () => {
    const served = runtimeRoutes.filter(({ path }) => !path.endsWith('/hub-token'));
    expect(served).toHaveLength(17);
    for (const { method, path } of served) {
      const call: Call = {
        projectId,
        method: method.toUpperCase() as NonNullable<Call['method']>,
        path: path.replace(':projectId', projectId).replace(/:\w+/g, 'x'),
      };
      expect({ path, ...(await service.call(call)) }).toMatchObject({
        path,
        status: 503,
        body: { code: 'MODEL_RUNTIME_UNAVAILABLE', requestId: expect.any(String) },
      });
      expect(await service.call({ ...call, principal: keyWith('telemetry:write') })).toMatchObject({ status: 403 });
    }
  });

  it('serves inference through providers', async () => {
    const body = { name: 'loop', baseUrl: provider.url };
    await service.call({ projectId, path: `/v1/projects/${projectId}/models/providers`, body });
    const answer = await service.call({
      projectId,
      path: '/v1/chat/completions',
      body: { model: 'loop/tiny-chat', messages: [{ role: 'user', content: 'Hi' }] },
    });
    expect(answer.status).toBe(200);
  });
});
