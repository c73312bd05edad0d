import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually, useTestEnvironment } from '@clew/testing';
import { startTestService, type TestService } from './test-support/service.ts';

const environment = useTestEnvironment();
let service: TestService;

afterEach(() => service.stop());

describe('the health of the service', () => {
  it('is told without identity: status, version and deployment target', async () => {
    service = await startTestService(environment);
    service.startConsumers();
    const { status, body } = await service.call({ path: '//healthz', principal: null });
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        status: 'ok',
        service: 'diagnostics-svc',
        version: '0',
        deploymentTarget: 'server',
        uptimeMs: expect.any(Number),
      },
    });
  });

  it('is 503 once a consumer has not shown itself for too long', async () => {
    service = await startTestService(environment, { maxBeatAgeMs: 0 });
    service.startConsumers();
    await eventually(async () => {
      expect(await service.call({ path: '//healthz', principal: null })).toMatchObject({ status: 503 });
    });
  });
});
