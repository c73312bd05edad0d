import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { connectMongo, migrate, nativeDb, type Database } from '@clew/persistence';
import { silentLogger, type TestEnvironment } from '@clew/testing';
import { migrations } from '../migrations.ts';

/** Connects a test file to its own database, which is emptied before each test unless it is to be kept. */
export function useTestDatabase(
  environment: TestEnvironment,
  { keepBetweenTests = false } = {},
): { readonly current: Database } {
  const logger = silentLogger();
  let database: Database | undefined;
  beforeAll(async () => {
    const { mongoUrl: url, database: name } = environment;
    database = await connectMongo({ url, database: name, appName: 'test', logger });
    await migrate(database, migrations, { logger });
  });
  beforeEach(async () => {
    if (database !== undefined && !keepBetweenTests) await emptyDatabase(database);
  });
  afterAll(() => database?.close());
  return {
    get current() {
      if (database === undefined) throw new Error('The database is there from beforeAll on');
      return database;
    },
  };
}

export async function emptyDatabase({ connection }: Database): Promise<void> {
  const collections = await nativeDb(connection).collections();
  const emptied = collections.filter(
    ({ collectionName: name }) => name !== 'migrations' && !name.startsWith('system.'),
  );
  await Promise.all(emptied.map((collection) => collection.deleteMany({})));
}
