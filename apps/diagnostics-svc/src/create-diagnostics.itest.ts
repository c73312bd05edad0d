import { describe, expect, it } from '@jest/globals';
import { analysisCompleted } from '@clew/contracts';
import { newId } from '@clew/kernel';
import { createTcpFault, eventually, useTestEnvironment, useCleanup } from '@clew/testing';
import { resultOf } from './test-support/results.ts';
import { startTestService, type TestService, type TestServiceOptions } from './test-support/service.ts';

const environment = useTestEnvironment();
const cleanup = useCleanup();
let service: TestService;

async function start(options: TestServiceOptions = {}): Promise<void> {
  service = await startTestService(environment, options);
  cleanup(() => service.stop());
  service.start();
}

describe('the health of the service', () => {
  it('is told without identity: status, version and deployment target', async () => {
    await start();
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

  it('is 503 while a consumer has not shown itself for too long, and 200 when it goes on', async () => {
    const { hostname: host, port } = new URL(environment.mongoUrl);
    const fault = await createTcpFault({ target: { host, port: Number(port) } });
    cleanup(() => fault.close());
    await start({ mongoUrl: fault.through(environment.mongoUrl), maxHeartbeatAgeMs: 2_000 });
    const result = resultOf({ projectId: newId('prj'), found: { rule_a: [] } });
    const stalled = fault.stallAfter(result.id);
    await service.publisher.publish(analysisCompleted, result);
    await stalled;
    const health = async () => (await service.call({ path: '//healthz', principal: null })).status;
    await eventually(async () => expect(await health()).toBe(503));
    fault.block();
    fault.unblock();
    await eventually(async () => expect(await health()).toBe(200));
  });
});
