import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiKey } from '@clew/contracts';
import { eventually, useTestEnvironment, type TcpFault } from '@clew/testing';
import type { BootstrapResult } from './bootstrap.ts';
import { makeWorkspace, startTestReplicas, type TestGateway, type TestReplicas } from './test-support/gateway.ts';

interface Made {
  apiKey: ApiKey;
  secret: string;
}

const environment = useTestEnvironment();
let replicas: TestReplicas;
let here: TestGateway;
let there: TestGateway;
let fault: TcpFault;
let stack: BootstrapResult;

beforeAll(async () => {
  replicas = await startTestReplicas(environment);
  ({ here, there, fault } = replicas);
  stack = await makeWorkspace(here.database);
});
afterAll(() => replicas.stop());

const keys = () => `/v1/projects/${stack.projectId}/api-keys`;

/** Makes a key that both replicas have in their caches. */
async function knownToBoth(maker = stack.apiKey): Promise<Made> {
  const scopes = ['workspace:read', 'workspace:admin'];
  const { body } = await here.ask<Made>(maker, 'POST', keys(), { name: 'n', scopes });
  for (const gateway of [here, there]) expect(await statusAt(gateway, body.secret)).toBe(200);
  return body;
}

async function statusAt(gateway: TestGateway, secret: string): Promise<number> {
  return (await gateway.ask(secret, 'GET', '/v1/me')).status;
}

describe('a key that one replica revokes', () => {
  it('ends there at once, and in the others as soon as they hear of it, long before their caches would let go', async () => {
    const { apiKey, secret } = await knownToBoth();
    await here.ask(stack.apiKey, 'DELETE', `${keys()}/${apiKey.id}`);
    expect(await statusAt(here, secret)).toBe(401);
    await eventually(async () => expect(await statusAt(there, secret)).toBe(401), { timeoutMs: 15_000 });
  });

  it('ends so as well when it is rotated without grace', async () => {
    const { apiKey, secret } = await knownToBoth();
    await here.ask(stack.apiKey, 'POST', `${keys()}/${apiKey.id}/rotate`, { graceMs: 0 });
    expect(await statusAt(here, secret)).toBe(401);
    await eventually(async () => expect(await statusAt(there, secret)).toBe(401), { timeoutMs: 15_000 });
  });

  it('with all that descends from it takes those along so, too', async () => {
    const parent = await knownToBoth(stack.apiKey);
    const child = await knownToBoth(parent.secret);
    await here.ask(stack.apiKey, 'DELETE', `${keys()}/${parent.apiKey.id}?withDescendants=true`);
    expect(await statusAt(here, child.secret)).toBe(401);
    await eventually(async () => expect(await statusAt(there, child.secret)).toBe(401), { timeoutMs: 15_000 });
  });

  it('ends in a replica that was cut off from the broker once it is connected again', async () => {
    const { apiKey, secret } = await knownToBoth();
    fault.block();
    await here.ask(stack.apiKey, 'DELETE', `${keys()}/${apiKey.id}`);
    expect(await statusAt(here, secret)).toBe(401);
    fault.unblock();
    await eventually(async () => expect(await statusAt(there, secret)).toBe(401), { timeoutMs: 15_000 });
  });
});
