import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Person, Project } from '@clew/contracts';
import { useTestEnvironment } from '@clew/testing';
import { bootstrap } from './bootstrap.ts';
import { workspaceModel } from './projects/project.model.ts';
import { tokensOf } from './sign-in/create-sign-in.ts';
import { createOneTimeLinkStore } from './sign-in/one-time-links.store.ts';
import { openBrowser } from './test-support/browser.ts';
import { startTestGateway, TEST_AUTH_SECRET, type TestGateway } from './test-support/gateway.ts';

const CONFIG = { AUTH_SECRET: TEST_AUTH_SECRET, API_KEY_ENVIRONMENT: 'test' };
const NAMES = { workspace: 'Acme', project: 'p', secondProject: undefined };
const OWNER = { email: 'owner@example.org', password: 'five words for the owner' };

const environment = useTestEnvironment();
let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway(environment);
});
afterAll(() => gateway.stop());

const countWorkspaces = () => workspaceModel(gateway.database.connection).countDocuments();

async function setupToken(): Promise<string> {
  const { value, hash } = tokensOf(gateway.config).make('link');
  const nowMs = Date.now();
  await createOneTimeLinkStore(gateway.database).insert({
    ...{ hash, purpose: 'set-up', userId: null, nowMs, expiresAtMs: nowMs + 60_000 },
  });
  return value;
}

it('the first set-up and bootstrap, many times at once, make one workspace', async () => {
  const token = await setupToken();
  const setUp = openBrowser(gateway).send('POST', '/v1/auth/setup', { body: { token, name: 'Owner', ...OWNER } });
  const made = await Promise.all(Array.from({ length: 4 }, () => bootstrap(gateway.database, CONFIG, NAMES)));
  expect((await setUp).status).toBe(200);
  expect(new Set(made.map(({ workspaceId }) => workspaceId)).size).toBe(1);
  expect(await countWorkspaces()).toBe(1);
});

it('bootstrap after the set-up joins its workspace: both owners find each other, and all projects', async () => {
  const made = await bootstrap(gateway.database, CONFIG, { ...NAMES, project: 'late', admin: 'second@example.org' });
  expect(await countWorkspaces()).toBe(1);
  const first = { email: OWNER.email, password: OWNER.password };
  const second = { email: made.adminEmail, password: made.adminPassword };
  for (const body of [first, second]) {
    const browser = openBrowser(gateway);
    expect((await browser.send('POST', '/v1/auth/sign-in', { body })).status).toBe(200);
    const { people } = (await browser.send<{ people: Person[] }>('GET', '/v1/people')).body;
    expect(people.map(({ email }) => email).toSorted()).toEqual([OWNER.email, 'second@example.org']);
    const { projects } = (await browser.send<{ projects: Project[] }>('GET', '/v1/projects')).body;
    expect(projects).toHaveLength(5);
    expect(projects.map(({ id }) => id)).toContain(made.projectId);
  }
  expect((await gateway.ask(made.adminApiKey, 'GET', '/v1/people')).status).toBe(200);
});
