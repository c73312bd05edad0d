import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Schema } from 'mongoose';
import { createLogger } from '@clew/runtime';
import { eventually, silentLogger, useTestEnvironment } from '@clew/testing';
import {
  connectMongo,
  createLease,
  ensureIndexes,
  ensureOutbox,
  migrate,
  MigrationError,
  nativeDb,
  pendingMigrations,
  type Database,
  type Migration,
} from './index.ts';

const environment = useTestEnvironment();
const logger = silentLogger();
let database: Database;
let runs: string[] = [];

function migration(id: string, up: Migration['up'] = async () => undefined): Migration {
  return {
    id,
    async up(connection) {
      runs.push(id);
      await up(connection);
    },
  };
}

function run(...migrations: Migration[]): Promise<string[]> {
  return migrate(database, migrations, { logger });
}

function leases() {
  return nativeDb(database.connection).collection<{ _id: string; holder: string; expiresAt: Date }>('leases');
}

beforeAll(async () => {
  const { mongoUrl: url, database: name } = environment;
  database = await connectMongo({ url, database: name, appName: 'test', logger });
});

beforeEach(async () => {
  await nativeDb(database.connection).dropDatabase();
  runs = [];
});

afterAll(() => database.close());

describe('migrate', () => {
  it('applies what is missing, in order, once', async () => {
    expect(await pendingMigrations(database, [migration('0001-a'), migration('0002-b')])).toEqual(['0001-a', '0002-b']);
    expect(await run(migration('0001-a'))).toEqual(['0001-a']);
    expect(await run(migration('0001-a'), migration('0002-b'), migration('0003-c'))).toEqual(['0002-b', '0003-c']);
    expect(await run(migration('0001-a'), migration('0002-b'), migration('0003-c'))).toEqual([]);
    expect(runs).toEqual(['0001-a', '0002-b', '0003-c']);
    expect(await pendingMigrations(database, [migration('0001-a')])).toEqual([]);
  });

  it('does not record a migration that failed, and begins with it the next time', async () => {
    const failing = migration('0002-b', () => Promise.reject(new Error('disk full')));
    await expect(run(migration('0001-a'), failing, migration('0003-c'))).rejects.toThrow('disk full');
    expect(await run(migration('0001-a'), migration('0002-b'), migration('0003-c'))).toEqual(['0002-b', '0003-c']);
  });

  it('runs each migration once when two migrators come at the same time', async () => {
    const begun = Promise.withResolvers<void>();
    const secondWaits = Promise.withResolvers<void>();
    const slow = migration('0001-a', async () => {
      begun.resolve();
      await secondWaits.promise;
    });
    const first = run(slow, migration('0002-b'));
    await begun.promise;
    const telling = createLogger({
      service: 'test',
      version: '0',
      level: 'info',
      destination: { write: (line) => line.includes('waiting for another') && secondWaits.resolve() },
    });
    const second = migrate(database, [slow, migration('0002-b')], { logger: telling });
    expect(await Promise.all([first, second])).toEqual([['0001-a', '0002-b'], []]);
    expect(runs).toEqual(['0001-a', '0002-b']);
  });

  it('takes over from a migrator that died with the lock', async () => {
    await createLease(database, 'migrations', 300).acquire();
    expect(await run(migration('0001-a'))).toEqual(['0001-a']);
  });

  it('gives up on a migrator that holds the lock for longer than the wait', async () => {
    await createLease(database, 'migrations', 60_000).acquire();
    await expect(migrate(database, [migration('0001-a')], { logger, waitMs: 1 })).rejects.toThrow(MigrationError);
    expect(runs).toEqual([]);
  });

  it('keeps the lock for a migration that takes longer than the lease', async () => {
    const other = createLease(database, 'migrations', 60_000);
    const leaseMs = 2_000;
    const long = migration('0001-a', async () => {
      const untilMs = Date.now() + 3 * leaseMs;
      await eventually(async () => {
        expect(await other.acquire()).toBe(false);
        expect(Date.now()).toBeGreaterThan(untilMs);
      });
    });
    expect(await migrate(database, [long], { logger, leaseMs })).toEqual(['0001-a']);
  });

  it('begins no further migration after it has lost the lock', async () => {
    const leaseMs = 60;
    const robbed = migration('0001-a', async () => {
      const untilMs = Date.now() + leaseMs;
      const stolen = { holder: 'another', expiresAt: new Date(Date.now() + 60_000) };
      await leases().updateOne({ _id: 'migrations' }, { $set: stolen });
      await eventually(() => expect(Date.now()).toBeGreaterThan(untilMs));
    });
    const work = migrate(database, [robbed, migration('0002-b')], { logger, leaseMs });
    await expect(work).rejects.toThrow('lost');
    expect(runs).toEqual(['0001-a']);
    expect(await leases().findOne({ _id: 'migrations' })).toMatchObject({ holder: 'another' });
  });

  it('leaves a database alone that is newer than the code', async () => {
    await run(migration('0001-a'), migration('0002-b'));
    expect(await run(migration('0001-a'))).toEqual([]);
  });

  it('refuses a database with another history', async () => {
    await run(migration('0001-a'), migration('0002-other'));
    await expect(run(migration('0001-a'), migration('0002-b'), migration('0003-c'))).rejects.toThrow('0002-other');
    await expect(pendingMigrations(database, [migration('0001-z')])).rejects.toThrow('0001-a');
    expect(runs).toEqual(['0001-a', '0002-other']);
  });

  it.each([[['0001-A']], [['1-a']], [['0002-a', '0001-b']], [['0001-a', '0001-b']]])(
    'refuses the ids %j',
    async (ids) => {
      await expect(run(...ids.map((id) => migration(id)))).rejects.toThrow(MigrationError);
      expect(runs).toEqual([]);
    },
  );
});

describe('a migration of stored documents', () => {
  interface Thing {
    _id: string;
    name?: string;
    names?: string[];
  }
  const baseline: Migration = { id: '0001-baseline', up: ensureOutbox };
  const names: Migration = {
    id: '0002-names',
    async up(connection) {
      const things = nativeDb(connection).collection<Thing>('things');
      await things.updateMany({ name: { $exists: true } }, [{ $set: { names: ['$name'] } }, { $unset: 'name' }]);
      await things.createIndex({ names: 1 }, { name: 'names' });
    },
  };
  const things = () => nativeDb(database.connection).collection<Thing>('things');

  it('that is killed between its work and the note of it runs again, and leaves what one that ran through leaves', async () => {
    await migrate(database, [baseline], { logger });
    await things().insertMany([
      { _id: 'one', name: 'a' },
      { _id: 'two', name: 'b' },
    ]);
    const killed: Migration = {
      ...names,
      async up(connection) {
        await names.up(connection);
        throw new Error('killed');
      },
    };
    await expect(migrate(database, [baseline, killed], { logger })).rejects.toThrow('killed');
    expect(await pendingMigrations(database, [baseline, names])).toEqual(['0002-names']);
    expect(await migrate(database, [baseline, names], { logger })).toEqual(['0002-names']);
    expect(await things().find().sort({ _id: 1 }).toArray()).toEqual([
      { _id: 'one', names: ['a'] },
      { _id: 'two', names: ['b'] },
    ]);
    expect((await things().indexes()).map(({ name }) => name)).toEqual(['_id_', 'names']);
  });
});

describe('ensureIndexes', () => {
  it('creates the collection and the indexes of a model, and may be repeated', async () => {
    const schema = new Schema({ projectId: String }).index({ projectId: 1 }, { name: 'by_project' });
    const Things = database.connection.model('Thing', schema);
    for (let run = 0; run < 2; run += 1) await ensureIndexes(Things);
    expect(await Things.collection.indexes()).toContainEqual(expect.objectContaining({ name: 'by_project' }));
  });
});

describe('a lease', () => {
  it('is held by one process, which may make it last longer', async () => {
    const [first, second] = [createLease(database, 'work', 60_000), createLease(database, 'work', 60_000)];
    expect([await first.acquire(), await second.acquire(), await first.acquire()]).toEqual([true, false, true]);
  });

  it('is free once it is given back, which only its holder can do', async () => {
    const [first, second] = [createLease(database, 'work', 60_000), createLease(database, 'work', 60_000)];
    await first.acquire();
    await second.release();
    expect(await second.acquire()).toBe(false);
    await first.release();
    expect(await second.acquire()).toBe(true);
  });

  it('ends by itself', async () => {
    const [first, second] = [createLease(database, 'work', 50), createLease(database, 'work', 60_000)];
    await first.acquire();
    await eventually(async () => expect(await second.acquire()).toBe(true));
    expect(await first.acquire()).toBe(false);
  });

  it('has one winner where several ask at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => createLease(database, 'raced', 60_000).acquire()),
    );
    expect(answers.filter(Boolean)).toHaveLength(1);
  });
});
