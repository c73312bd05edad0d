import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { migrate, type Database, type Migration } from '@clew/persistence';
import { createReadiness } from '@clew/runtime';
import { silentLogger, useTestEnvironment } from '@clew/testing';
import { databaseChecks, openDatabase } from './database.ts';

const environment = useTestEnvironment();
const logger = silentLogger();
const OLD: readonly Migration[] = [{ id: '0001-old', up: async () => undefined }];
const NEW: readonly Migration[] = [...OLD, { id: '0002-new', up: async () => undefined }];
let database: Database;

beforeAll(async () => {
  const config = {
    ...{ MONGO_URL: environment.mongoUrl, MONGO_DATABASE: environment.database },
    MONGO_MAX_POOL_SIZE: 2,
  };
  ({ database } = await openDatabase({ config, appName: 'test', logger }));
});
afterAll(() => database.close());

it('is not ready while the database lacks a migration of the code, and the version before serves on after it', async () => {
  const [older, newer] = [OLD, NEW].map((migrations) => createReadiness(databaseChecks(database, migrations)));
  const states = async () => [(await older!.report()).checks, (await newer!.report()).checks];
  const [ready, pending] = [
    { mongo: 'ok', migrations: 'ok' },
    { mongo: 'ok', migrations: 'failing' },
  ];
  expect(await states()).toEqual([pending, pending]);
  await migrate(database, OLD, { logger });
  expect(await states()).toEqual([ready, pending]);
  await migrate(database, NEW, { logger });
  expect(await states()).toEqual([ready, ready]);
});
