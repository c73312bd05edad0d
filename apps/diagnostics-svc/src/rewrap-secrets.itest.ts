import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { TRACKER_PROVIDERS } from '@clew/contracts';
import { rewrapSecrets } from '@clew/host';
import { newId } from '@clew/kernel';
import type { Database } from '@clew/persistence';
import { createSecretBox, type SecretBox } from '@clew/secrets';
import { useTestEnvironment } from '@clew/testing';
import { connectorCollection } from './connectors/connector.model.ts';
import { openCredentials, openWebhookSecrets, connectorSecretPlace } from './connectors/connector-secrets.ts';
import { changedConnector, newConnector } from './connectors/connector.ts';
import type { StoredConnector } from './connectors/stored-connector.ts';
import { createConnectorStore, type ConnectorStore } from './connectors/connectors.store.ts';
import { STORED_SECRETS } from './stored-secrets.ts';
import { openTestDatabase } from './test-support/service.ts';

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

it('after a rotation every secret is read with the new one alone, also when it was killed and began again', async () => {
  const connectors: StoredConnector[] = [];
  for (let index = 0; index < COUNT; index += 1) connectors.push(await storeConnector(index, first));
  // State left by a run that was killed.
  for (const { id, projectId, credentials } of connectors.slice(0, 100)) {
    const anew = rotating.rewrap(credentials, connectorSecretPlace({ id, projectId }, 'credentials'));
    await connectorCollection(database).updateOne({ _id: id }, { $set: { credentials: anew } });
  }
  // Two runs at once, while the service reads.
  const runs = [
    rewrapSecrets(database, rotating, STORED_SECRETS),
    rewrapSecrets(database, rotating, STORED_SECRETS),
    expectReadable(connectors, rotating).then(() => ({ rewrapped: 0, unreadable: 0 })),
  ];
  const reports = await Promise.all(runs);
  expect(reports.map(({ unreadable }) => unreadable)).toEqual([0, 0, 0]);
  expect(reports.reduce((sum, { rewrapped }) => sum + rewrapped, 0)).toBe(3 * COUNT - 100);
  expect(await rewrapSecrets(database, rotating, STORED_SECRETS)).toEqual({ rewrapped: 0, unreadable: 0 });
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

it('what is under a third secret is counted and left as it is', async () => {
  const third = createSecretBox({ authSecret: 'a third secret of this deployment, long enough' });
  const connector = await storeConnector(7, third);
  expect(await rewrapSecrets(database, rotating, STORED_SECRETS)).toEqual({ rewrapped: 0, unreadable: 3 });
  const stored = (await store.find(connector.projectId, connector.id))!;
  expect(openCredentials(stored, third)).toEqual({ token: 'token 7' });
});
