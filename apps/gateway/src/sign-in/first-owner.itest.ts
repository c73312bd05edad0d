import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { systemClock } from '@clew/kernel';
import { nativeDb } from '@clew/persistence';
import { UsageError, type Logger } from '@clew/runtime';
import { eventually, explainSent, monitored, silentLogger, useTestEnvironment } from '@clew/testing';
import { bootstrap } from '../bootstrap.ts';
import { createPasswordHasher } from '../passwords/password-hasher.ts';
import { createUserStore } from '../people/users.store.ts';
import { workspaceModel } from '../projects/project.model.ts';
import { createSessionStore } from '../sessions/sessions.store.ts';
import { openBrowser } from '../test-support/browser.ts';
import { openTestDatabase, startTestGateway, TEST_AUTH_SECRET, type TestGateway } from '../test-support/gateway.ts';
import { makeConfiguredOwner } from './configured-owner.ts';
import { createFirstOwner } from './first-owner.ts';
import { createOneTimeLinkStore } from './one-time-links.store.ts';
import { tellOfSetup, type SetupService } from './setup.service.ts';

const environment = useTestEnvironment();
const EMAIL = 'first@example.org';
const PASSWORD = 'words in a file for the owner';
const folder = mkdtempSync(join(tmpdir(), 'clew-owner-'));
const file = (name: string, content: string) => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};
let gateway: TestGateway;

beforeAll(async () => {
  const variables = { CLEW_ADMIN_EMAIL: EMAIL, CLEW_ADMIN_PASSWORD_FILE: file('password', `${PASSWORD}\n`) };
  gateway = await startTestGateway(environment, { variables });
});
afterAll(async () => {
  await gateway.stop();
  rmSync(folder, { recursive: true });
});

const signIn = (email: string, password: string) =>
  openBrowser(gateway).send('POST', '/v1/auth/sign-in', { body: { email, password } });

describe('an owner who is configured', () => {
  it('is there after the start, with a workspace, and makes a first project', async () => {
    const browser = openBrowser(gateway);
    await eventually(async () => {
      const body = { email: EMAIL, password: PASSWORD };
      expect((await browser.send('POST', '/v1/auth/sign-in', { body })).status).toBe(200);
    });
    const headers = { 'idempotency-key': 'first' };
    expect((await browser.send('POST', '/v1/projects', { body: { name: 'First' }, headers })).status).toBe(201);
    expect(await workspaceModel(gateway.database.connection).countDocuments()).toBe(1);
  });

  it('is made once, and not for a password that may not be chosen or cannot be read', async () => {
    const { database } = gateway;
    const users = { hasAny: async () => false };
    const hasher = createPasswordHasher({ maxAtOnce: 1, maxWaiting: 1 });
    const deps = { database, hasher, logger: silentLogger(), minPasswordLength: 15, makeFirstOwner: firstOwnerOf() };
    const make = (passwordFile: string) => makeConfiguredOwner({ ...deps, users }, { email: EMAIL, passwordFile });
    await expect(make(file('weak', 'passwordpassword'))).rejects.toThrow(UsageError);
    await expect(make(join(folder, 'nowhere'))).rejects.toThrow('CLEW_ADMIN_PASSWORD_FILE');
    await make(file('good', PASSWORD));
    expect(await nativeDb(database.connection).collection('users').countDocuments()).toBe(1);
  });

  const firstOwnerOf = () => {
    const { database } = gateway;
    return createFirstOwner({
      ...{ database, clock: systemClock, authSecret: TEST_AUTH_SECRET },
      users: createUserStore(database),
      links: createOneTimeLinkStore(database),
      journal: { record: async () => undefined },
    });
  };
});

it('bootstrap makes an owner of its workspace where one is wanted, and no address twice', async () => {
  const config = { AUTH_SECRET: TEST_AUTH_SECRET, API_KEY_ENVIRONMENT: 'test' };
  const names = { workspace: 'w', project: 'p', secondProject: undefined, admin: 'Second@example.org' };
  const made = await bootstrap(gateway.database, config, names);
  expect(made.adminEmail).toBe('Second@example.org');
  expect((await signIn('second@example.org', made.adminPassword ?? '')).status).toBe(200);
  const workspaces = await workspaceModel(gateway.database.connection).countDocuments();
  await expect(bootstrap(gateway.database, config, names)).rejects.toThrow('the address is taken');
  expect(await workspaceModel(gateway.database.connection).countDocuments()).toBe(workspaces);
});

it('the link of the first set-up is told once, and only while it is needed', async () => {
  const told: unknown[] = [];
  const logger = { warn: (fields: unknown) => void told.push(fields) } as unknown as Logger;
  const setup = (link: string | undefined) => ({ newLink: async () => link }) as unknown as SetupService;
  await tellOfSetup(setup(undefined), logger);
  await tellOfSetup(setup('https://clew.example/setup?token=x'), logger);
  expect(told).toEqual([{ link: 'https://clew.example/setup?token=x' }]);
});

it('everything that is asked of people and sessions is answered by an index', async () => {
  const database = await openTestDatabase(environment, monitored(environment.mongoUrl));
  const users = createUserStore(database);
  const sessions = createSessionStore(database);
  const links = createOneTimeLinkStore(database);
  const explained = await explainSent(database, async () => {
    await users.get('usr_1');
    await users.findByEmail(EMAIL);
    await sessions.findByHash('hash');
    await sessions.ofUser('usr_1');
    await links.isOpen('set-up', 'hash', Date.now());
    await database.withTransaction(async (tx) => {
      await users.guardOwners(tx, 'ws_1');
      await links.removeAll(tx, 'set-up');
    });
  });
  await database.close();
  expect(explained.length).toBeGreaterThanOrEqual(6);
  for (const { plan } of explained) expect(plan).not.toMatch(/COLLSCAN|SORT$/);
});
