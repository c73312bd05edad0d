import { connectMongo, migrate, nativeDb, pendingMigrations, type Database, type Migration } from '@clew/persistence';
import { createTestDatabase, databaseContent, restoreDump, silentLogger, type TestEnvironment } from '@clew/testing';

type Server = Pick<TestEnvironment, 'mongoUrl'>;

export interface RestoredDatabase {
  database: Database;
  name: string;
  /** Closes the connection and removes the database. */
  drop(): Promise<void>;
}

/** What the database lets expire by itself, as if it had been written just now. */
const EXPIRING = [
  { collection: 'idempotency_keys', field: 'at' },
  { collection: 'idempotency_replies', field: 'at' },
  { collection: 'outbox', field: 'publishedAt' },
  { collection: 'inbox', field: 'at' },
] as const;

/** A database of its own with what an older version of a service left, from its dump. */
export async function openRestored({ mongoUrl }: Server, dump: string, now = new Date()): Promise<RestoredDatabase> {
  const created = await createTestDatabase({ mongoUrl });
  const database = await connectMongo({
    ...{ url: mongoUrl, database: created.database, appName: 'test', logger: silentLogger() },
  });
  const db = nativeDb(database.connection);
  await restoreDump(db, dump);
  for (const { collection, field } of EXPIRING) {
    await db.collection(collection).updateMany({ [field]: { $exists: true } }, { $set: { [field]: now } });
  }
  return {
    database,
    name: created.database,
    async drop() {
      await database.close();
      await created.drop();
    },
  };
}

export interface KilledMigrations {
  /** All that a database holds after migrations that ran through. */
  through: Record<string, unknown>;
  /** The same where each of them was killed once, between its work and the note of it, and run again. */
  killed: Record<string, unknown>;
  /** Those that were killed: the ones that the older version did not have. */
  kills: string[];
}

/** Migrates what an older version left twice: once without disturbance, once with each migration killed. */
export async function migrateWithKills(
  server: Server,
  dump: string,
  migrations: readonly Migration[],
  without: readonly string[] = [],
): Promise<KilledMigrations> {
  const [logger, now] = [silentLogger(), new Date()];
  const [whole, broken] = [await openRestored(server, dump, now), await openRestored(server, dump, now)];
  const contentOf = ({ database }: RestoredDatabase) =>
    databaseContent(nativeDb(database.connection), ['migrations', ...without]);
  try {
    await migrate(whole.database, migrations, { logger });
    const kills: string[] = [];
    // Only what the older version lacks is run at all.
    for (const id of await pendingMigrations(broken.database, migrations)) {
      await migrate(broken.database, migrations.map(killing(id)), { logger }).catch((error: unknown) => {
        if (!(error instanceof Killed)) throw error;
        kills.push(id);
      });
    }
    await migrate(broken.database, migrations, { logger });
    return { through: await contentOf(whole), killed: await contentOf(broken), kills };
  } finally {
    await whole.drop();
    await broken.drop();
  }
}

class Killed extends Error {}

/** One migration does its work, and its process is killed before that is noted. */
function killing(doomed: string) {
  return ({ id, up }: Migration): Migration => ({
    id,
    async up(connection) {
      await up(connection);
      if (id === doomed) throw new Killed();
    },
  });
}
