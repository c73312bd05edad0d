import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SCOPES } from '@clew/contracts';
import { nativeDb } from '@clew/persistence';
import { useTestEnvironment } from '@clew/testing';
import { bootstrap } from './bootstrap.ts';
import { makeWorkspace, startTestGateway, TEST_AUTH_SECRET, type TestGateway } from './test-support/gateway.ts';

const environment = useTestEnvironment();
let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway(environment);
});
afterAll(() => gateway.stop());

describe('bootstrap', () => {
  it('makes keys that open what they are for, with all scopes', async () => {
    const made = await makeWorkspace(gateway.database);
    const rightsOf = async (secret: string | null) => (await gateway.ask<object>(secret ?? '', 'GET', '/v1/me')).body;
    expect(await rightsOf(made.apiKey)).toMatchObject({ scopes: SCOPES, projectIds: [made.projectId] });
    expect(await rightsOf(made.otherApiKey)).toMatchObject({ scopes: SCOPES, projectIds: [made.otherProjectId] });
    expect(await rightsOf(made.adminApiKey)).toMatchObject({ scopes: SCOPES, projectIds: 'all' });
    const deeds = nativeDb(gateway.database.connection).collection('audit');
    expect(await deeds.countDocuments({ workspaceId: made.workspaceId, 'actor.kind': 'bootstrap' })).toBe(5);
  });

  it('makes one project where no second one is wanted', async () => {
    const config = { AUTH_SECRET: TEST_AUTH_SECRET, API_KEY_ENVIRONMENT: 'test' };
    const made = await bootstrap(gateway.database, config, { workspace: 'w', project: 'p', secondProject: undefined });
    expect([made.otherProjectId, made.otherApiKey]).toEqual([null, null]);
  });

  it('makes keys that a gateway with another secret does not know', async () => {
    const config = { AUTH_SECRET: 'another secret for tests, of 32 bytes', API_KEY_ENVIRONMENT: 'test' };
    const made = await bootstrap(gateway.database, config, { workspace: 'w', project: 'p', secondProject: undefined });
    expect((await gateway.ask(made.apiKey, 'GET', '/v1/me')).status).toBe(401);
  });
});
