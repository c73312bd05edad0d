import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { silentLogger, useTestEnvironment } from '@clew/testing';
import { connectMongo, createProjectSettings, ensureSettings, type Database, type ProjectSettings } from './index.ts';

interface Settings {
  enabled: boolean;
  limit: number | null;
}

const environment = useTestEnvironment();
let database: Database;
let settings: ProjectSettings<Settings>;

beforeAll(async () => {
  const { mongoUrl: url, database: name } = environment;
  database = await connectMongo({ url, database: name, appName: 'test', logger: silentLogger() });
  for (let run = 0; run < 2; run += 1) await ensureSettings(database.connection, 'settings');
  settings = createProjectSettings(database, { collection: 'settings', defaults: { enabled: false, limit: null } });
});

afterAll(() => database.close());

it('a project that set nothing has the defaults, and keeps what it sets beside them', async () => {
  expect(await settings.get('a')).toEqual({ enabled: false, limit: null });
  expect(await settings.change('a', { limit: 5 }, 1)).toEqual({ enabled: false, limit: 5 });
  expect(await settings.change('a', { enabled: true }, 2)).toEqual({ enabled: true, limit: 5 });
  expect(await settings.get('a')).toEqual({ enabled: true, limit: 5 });
  expect(await settings.get('b')).toEqual({ enabled: false, limit: null });
});

it('those of many projects come together, each with its own or the defaults', async () => {
  await settings.change('e', { limit: 7 }, 1);
  expect(await settings.getMany(['e', 'unknown', 'e'])).toEqual(
    new Map([
      ['e', { enabled: false, limit: 7 }],
      ['unknown', { enabled: false, limit: null }],
    ]),
  );
});

it('many first changes of a project at once all hold', async () => {
  const changes = Array.from({ length: 8 }, (_, index) => settings.change('c', { limit: index }, index));
  await Promise.all([...changes, settings.change('c', { enabled: true }, 9)]);
  expect(await settings.get('c')).toMatchObject({ enabled: true });
});

it('a change in a transaction that ends without it leaves nothing', async () => {
  const failing = database.withTransaction(async (tx) => {
    await settings.change('d', { enabled: true }, 1, tx);
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(await settings.get('d')).toEqual({ enabled: false, limit: null });
});
