import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { useTestEnvironment } from '@clew/testing';
import { startTestService, type TestService } from './test-support/service.ts';

const environment = useTestEnvironment();
let service: TestService;

beforeAll(async () => {
  service = await startTestService(environment);
});

afterAll(() => service.stop());

it('its health is told without identity: status, version and deployment target', async () => {
  expect(await service.call({ path: '//healthz', principal: null })).toMatchObject({
    status: 200,
    body: { status: 'ok', service: 'knowledge-svc', version: '0', deploymentTarget: 'server' },
  });
});
