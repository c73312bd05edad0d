import { afterAll, describe, expect, it } from '@jest/globals';
import { connectMongo, migrate, nativeDb, type Database } from '@clew/persistence';
import { silentLogger, useTestEnvironment } from '@clew/testing';
import { migrations } from './migrations.ts';
import { STARTED_AT } from './test-support/service.ts';

const environment = useTestEnvironment();
const logger = silentLogger();
let database: Database;

afterAll(() => database.close());

describe('the migration to due removals', () => {
  it('makes what earlier versions have hidden due since then, and nothing else; also when it runs again', async () => {
    const { mongoUrl: url, database: name } = environment;
    database = await connectMongo({ url, database: name, appName: 'test', logger });
    await migrate(database, migrations.slice(0, 3), { logger });
    const datasets = nativeDb(database.connection).collection<{ _id: string }>('datasets');
    await datasets.createIndex({ deletingSince: 1 });
    await datasets.insertMany([
      { _id: 'hidden', state: 'deleting', deletingSince: new Date(STARTED_AT) } as { _id: string },
      { _id: 'active', state: 'active' } as { _id: string },
    ]);
    await migrate(database, migrations, { logger });
    await migrations.find(({ id }) => id === '0004-due-removals')?.up(database.connection);
    expect(await datasets.find().sort({ _id: 1 }).toArray()).toEqual([
      { _id: 'active', state: 'active' },
      { _id: 'hidden', state: 'deleting', dueAt: STARTED_AT },
    ]);
    const indexes = (await datasets.indexes()).map((index) => index.name);
    expect(indexes).toEqual(expect.arrayContaining(['due', 'given_up']));
    expect(indexes).not.toContain('deletingSince_1');
  });
});
