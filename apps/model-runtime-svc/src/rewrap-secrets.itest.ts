import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { rewrapSecrets } from '@clew/host';
import { newId } from '@clew/kernel';
import { nativeDb, type Database } from '@clew/persistence';
import { createSecretBox } from '@clew/secrets';
import { useTestEnvironment } from '@clew/testing';
import { createHubTokenStore } from '@clew/model-runtime';
import { createProviderDirectory, createProviderStore } from './endpoint/index.ts';
import { newProvider, providerKeyPlace, type StoredProvider } from './endpoint/providers/provider.ts';
import { openTestDatabase } from './test-support/service.ts';
import { STORED_SECRETS } from './stored-secrets.ts';

const environment = useTestEnvironment();
const FIRST = 'the first secret of this deployment, long enough';
const SECOND = 'the second secret of this deployment, long enough';
const first = createSecretBox({ authSecret: FIRST });
const second = createSecretBox({ authSecret: SECOND });
const rotating = createSecretBox({ authSecret: SECOND, previousAuthSecret: FIRST });
const projects = Array.from({ length: 250 }, () => newId('prj'));
let database: Database;

beforeAll(async () => {
  database = await openTestDatabase(environment);
  const providers = createProviderStore(database);
  const insert = (provider: StoredProvider) => database.withTransaction((tx) => providers.insert(tx, provider));
  for (const projectId of projects) {
    await insert(newProvider(projectId, { name: 'openai', apiKey: `sk-${projectId}` }, first, 1));
  }
  await insert(newProvider(newId('prj'), { name: 'openai' }, first, 1));
  await createHubTokenStore(database, first).set(projects[0] as string, 'hf_token', 1);
});

afterAll(() => database.close());

it('after a rotation every credential is read with the new secret alone, also when it was stopped and began again', async () => {
  // State left by an interrupted run.
  const collection = nativeDb(database.connection).collection<StoredProvider>('providers');
  for (const projectId of projects.slice(0, 100)) {
    const { apiKey } = (await collection.findOne({ projectId })) as StoredProvider;
    if (apiKey === null) throw new Error('it has no key');
    const anew = rotating.rewrap(apiKey, providerKeyPlace(projectId, 'openai'));
    await collection.updateOne({ projectId }, { $set: { apiKey: anew } });
  }
  expect(await rewrapSecrets(database, rotating, STORED_SECRETS)).toEqual({
    rewrapped: projects.length - 100 + 1,
    unreadable: 0,
  });
  expect(await rewrapSecrets(database, rotating, STORED_SECRETS)).toEqual({ rewrapped: 0, unreadable: 0 });
  const directory = createProviderDirectory(createProviderStore(database), second, {
    hit: () => undefined,
    miss: () => undefined,
  });
  for (const projectId of projects) {
    expect(await directory.find(projectId, 'openai')).toMatchObject({ apiKey: `sk-${projectId}` });
  }
  expect(await createHubTokenStore(database, second).tokenOf(projects[0] as string)).toBe('hf_token');
});

it('what is under a third secret is counted and left as it is', async () => {
  const third = createSecretBox({ authSecret: 'a third secret of this deployment, long enough' });
  expect(await rewrapSecrets(database, third, STORED_SECRETS)).toEqual({
    rewrapped: 0,
    unreadable: projects.length + 1,
  });
  expect(await createHubTokenStore(database, second).tokenOf(projects[0] as string)).toBe('hf_token');
});
