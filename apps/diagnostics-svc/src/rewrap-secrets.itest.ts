import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { TRACKER_PROVIDERS, type NewWebhook } from '@clew/contracts';
import { rewrapSecrets } from '@clew/host';
import { newId } from '@clew/kernel';
import type { Database } from '@clew/persistence';
import { createSecretBox, type SecretBox } from '@clew/secrets';
import { eventually, useTestEnvironment } from '@clew/testing';
import { connectorCollection } from './connectors/connector.model.ts';
import { openCredentials, openWebhookSecrets } from './connectors/connector-secrets.ts';
import { changedConnector, newConnector } from './connectors/connector.ts';
import type { StoredConnector } from './connectors/stored-connector.ts';
import { createConnectorStore, type ConnectorStore } from './connectors/connectors.store.ts';
import { STORED_SECRETS } from './stored-secrets.ts';
import { openTestDatabase } from './test-support/service.ts';
import { newSecret, newWebhook, rotatedWebhook, validSecrets } from './webhooks/registry/webhook.ts';
import { createWebhookStore } from './webhooks/registry/webhooks.store.ts';

const environment = useTestEnvironment();
const FIRST = 'the first secret of this deployment, long enough';
const SECOND = 'the second secret of this deployment, long enough';
const first = createSecretBox({ authSecret: FIRST });
const second = createSecretBox({ authSecret: SECOND });
const rotating = createSecretBox({ authSecret: SECOND, previousAuthSecret: FIRST });
const COUNT = 250;
let database: Database;
let store: ConnectorStore;

beforeAll(async () => {
  database = await openTestDatabase(environment);
  store = createConnectorStore(database);
});

afterAll(() => database.close());

/** Stores a connector with credentials, a webhook secret and a former one: three secrets. */
async function storeConnector(index: number, box: SecretBox): Promise<StoredConnector> {
  const provider = TRACKER_PROVIDERS[index % 3 === 0 ? 0 : 1];
  const input = { provider, credentials: { token: `token ${index}` }, webhookSecret: `former ${index}`, enabled: true };
  const made = newConnector(newId('prj'), input, box, 1);
  const connector = changedConnector(made, { webhookSecret: `hook ${index}` }, box, 1);
  await database.withTransaction((tx) => store.insert(tx, connector));
  return connector;
}

async function expectReadable(connectors: readonly StoredConnector[], box: SecretBox): Promise<void> {
  for (const [index, { projectId, id }] of connectors.entries()) {
    const stored = (await store.find(projectId, id))!;
    expect(openCredentials(stored, box)).toEqual({ token: `token ${index}` });
    expect(openWebhookSecrets(stored, box, 2)).toEqual([`hook ${index}`, `former ${index}`]);
  }
}

/** Runs the command as an operator does; the process is the caller's to end. */
function startRewrap(): ChildProcess {
  const file = join(import.meta.dirname, 'rewrap.ts');
  return spawn(process.execPath, ['--conditions=clew-source', file], {
    env: {
      ...{ PATH: process.env['PATH'], LOG_LEVEL: 'fatal', AUTH_SECRET: SECOND, AUTH_SECRET_PREVIOUS: FIRST },
      ...{ MONGO_URL: environment.mongoUrl, MONGO_DATABASE: environment.database },
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

const underFirst = () => connectorCollection(database).countDocuments({ 'credentials.kid': first.keyId });

it('after a rotation every secret is read with the new one alone, also when it was killed and began again', async () => {
  const connectors: StoredConnector[] = [];
  for (let index = 0; index < COUNT; index += 1) connectors.push(await storeConnector(index, first));
  const killed = startRewrap();
  await eventually(async () => expect(await underFirst()).toBeLessThan(COUNT), { intervalMs: 2 });
  killed.kill('SIGKILL');
  await once(killed, 'exit');
  const left = await underFirst();
  expect(left).toBeGreaterThan(0);
  // Two runs at once, while the service reads.
  const runs = [
    rewrapSecrets(database, rotating, STORED_SECRETS),
    rewrapSecrets(database, rotating, STORED_SECRETS),
    expectReadable(connectors, rotating).then(() => ({ rewrapped: 0, unreadable: 0 })),
  ];
  const reports = await Promise.all(runs);
  expect(reports.map(({ unreadable }) => unreadable)).toEqual([0, 0, 0]);
  // The killed run had come no further than the first of the three fields; its last write may have been on its way.
  const rewrapped = reports.reduce((sum, report) => sum + report.rewrapped, 0);
  expect([2 * COUNT + left - 1, 2 * COUNT + left]).toContain(rewrapped);
  const again = startRewrap();
  expect(JSON.parse(await text(again.stdout!))).toEqual({ rewrapped: 0, unreadable: 0 });
  await expectReadable(connectors, second);
});

it('a secret that is changed meanwhile is the new one', async () => {
  const connector = await storeConnector(0, first);
  const change = async () => {
    await database.withTransaction(async (tx) => {
      const before = (await store.find(connector.projectId, connector.id, tx))!;
      await store.replace(tx, changedConnector(before, { webhookSecret: 'changed' }, rotating, 1));
    });
  };
  await Promise.all([rewrapSecrets(database, rotating, STORED_SECRETS), change()]);
  await rewrapSecrets(database, rotating, STORED_SECRETS);
  const stored = (await store.find(connector.projectId, connector.id))!;
  expect(openWebhookSecrets(stored, second, 2)).toEqual(['changed', 'hook 0']);
});

it('after a rotation the secrets of webhooks are read with the new one alone, also one that is valid for a while', async () => {
  const webhooks = createWebhookStore(database);
  const [present, previous] = [newSecret(), newSecret()];
  const identity = { id: newId('whk'), projectId: newId('prj'), secret: previous };
  const choice = { url: 'https://receiver.example', events: ['*'], format: 'json', description: '', enabled: true };
  const made = newWebhook(identity, choice as NewWebhook, first, 1);
  const webhook = rotatedWebhook(made, { secret: present, graceMs: 1_000 }, first, 1);
  await database.withTransaction((tx) => webhooks.insert(tx, webhook));
  expect(await rewrapSecrets(database, rotating, STORED_SECRETS)).toEqual({ rewrapped: 2, unreadable: 0 });
  const stored = (await webhooks.get({ projectId: identity.projectId, webhookId: identity.id }))!;
  expect(validSecrets(stored, second, 2)).toEqual([present, previous]);
});

it('what is under a third secret is counted and left as it is', async () => {
  const third = createSecretBox({ authSecret: 'a third secret of this deployment, long enough' });
  const connector = await storeConnector(7, third);
  expect(await rewrapSecrets(database, rotating, STORED_SECRETS)).toEqual({ rewrapped: 0, unreadable: 3 });
  const stored = (await store.find(connector.projectId, connector.id))!;
  expect(openCredentials(stored, third)).toEqual({ token: 'token 7' });
});
