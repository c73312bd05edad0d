import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection, mongo, Schema } from 'mongoose';
import type { Logger } from '@clew/runtime';
import { nativeDb, type Database } from './database.ts';
import { createLease, type Lease } from './lease.ts';

/** One step forward of a database's schema. */
export interface Migration {
  /** Four digits and a name, `0001-findings`; migrations run in the order of their ids. */
  id: string;
  /** Must be safe to run again: a migrator that is killed leaves its migration half done. */
  up(connection: Connection): Promise<void>;
}

/** Names a migration for those who wait for it and do not run it. */
export type MigrationId = Pick<Migration, 'id'>;

export interface MigrateOptions {
  logger: Logger;
  /** Time that a dead migrator blocks the others; 30,000 by default. */
  leaseMs?: number;
  /** Maximum wait for another migrator; 600,000 by default. */
  waitMs?: number;
}

/** Signals that the code and the database do not share one migration history, or that the lock was lost. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
}

interface AppliedMigration {
  _id: string;
  appliedAt: Date;
  durationMs: number;
}

const ID_PATTERN = /^\d{4}-[a-z0-9]+(?:-[a-z0-9]+)*$/;
const LOCK_POLL_MS = 250;

/**
 * Applies the migrations that the database lacks, in order, and returns their ids. Only one migrator works at a time;
 * others wait for it. A database that is ahead of the code is left as it is; one with a different history is refused.
 */
export async function migrate(
  database: Database,
  migrations: readonly Migration[],
  { logger, leaseMs = 30_000, waitMs = 600_000 }: MigrateOptions,
): Promise<string[]> {
  requireOrderedIds(migrations);
  const lease = createLease(database, 'migrations', leaseMs);
  await waitForLease(lease, waitMs, logger);
  const renewal = keepLease(lease, leaseMs, logger);
  try {
    const pending = pendingOf(migrations, await appliedIds(database), logger);
    for (const migration of pending) {
      renewal.requireHeld();
      await apply(database, migration, logger);
    }
    return pending.map(({ id }) => id);
  } finally {
    renewal.stop();
    await lease.release();
  }
}

/** Returns the ids of the migrations that the database lacks; for readiness. */
export async function pendingMigrations(database: Database, migrations: readonly MigrationId[]): Promise<string[]> {
  requireOrderedIds(migrations);
  return pendingOf(migrations, await appliedIds(database)).map(({ id }) => id);
}

/** Model whose schema declares its indexes. */
interface IndexedModel {
  schema: Pick<Schema, 'indexes'>;
  collection: { createIndexes(indexes: mongo.IndexDescription[]): Promise<unknown> };
  createCollection(): Promise<unknown>;
}

/** Creates the collections of models and the indexes of their schemas; for use in a migration. */
export async function ensureIndexes(...models: readonly IndexedModel[]): Promise<void> {
  for (const model of models) {
    const indexes = model.schema.indexes().map(([key, { background: _, ...options }]) => ({ key, ...options }));
    // One command creates a collection with all its indexes, which is quicker than to add them one by one.
    if (indexes.length === 0) await model.createCollection();
    else await model.collection.createIndexes(indexes as mongo.IndexDescription[]);
  }
}

function requireOrderedIds(migrations: readonly MigrationId[]): void {
  migrations.forEach(({ id }, index) => {
    const previous = migrations[index - 1];
    if (!ID_PATTERN.test(id)) throw new MigrationError(`"${id}" is not a migration id such as 0001-findings`);
    if (previous !== undefined && previous.id.slice(0, 4) >= id.slice(0, 4)) {
      throw new MigrationError(`Migration ${id} does not have a higher number than ${previous.id} before it`);
    }
  });
}

/** Returns the migrations still to apply; throws unless one of the two lists continues the other. */
function pendingOf<Kind extends MigrationId>(
  migrations: readonly Kind[],
  applied: readonly string[],
  logger?: Logger,
): Kind[] {
  applied.slice(0, migrations.length).forEach((id, index) => {
    const expected = migrations[index]?.id;
    if (id !== expected) throw new MigrationError(`The database has applied ${id} where this code has ${expected}`);
  });
  if (applied.length > migrations.length) {
    logger?.warn({ unknown: applied.slice(migrations.length) }, 'the database is newer than this code');
  }
  return migrations.slice(applied.length);
}

async function appliedIds(database: Database): Promise<string[]> {
  const rows = await appliedCollection(database)
    .find({}, { sort: { _id: 1 } })
    .toArray();
  return rows.map(({ _id }) => _id);
}

async function apply(database: Database, migration: Migration, logger: Logger): Promise<void> {
  const startedAtMs = Date.now();
  await migration.up(database.connection);
  const durationMs = Date.now() - startedAtMs;
  await appliedCollection(database).insertOne({ _id: migration.id, appliedAt: new Date(), durationMs });
  logger.info({ migration: migration.id, durationMs }, 'migration applied');
}

function appliedCollection(database: Database) {
  return nativeDb(database.connection).collection<AppliedMigration>('migrations');
}

async function waitForLease(lease: Lease, waitMs: number, logger: Logger): Promise<void> {
  const deadlineMs = Date.now() + waitMs;
  let told = false;
  while (!(await lease.acquire())) {
    if (Date.now() >= deadlineMs) throw new MigrationError(`Another migrator held the lock for ${waitMs} ms`);
    if (!told) logger.info('waiting for another migrator');
    told = true;
    await sleep(LOCK_POLL_MS);
  }
}

/** Renews the lease while migrations run; a migrator that lost it must not begin another one. */
function keepLease(lease: Lease, leaseMs: number, logger: Logger) {
  let heldUntilMs = Date.now() + leaseMs;
  const timer = setInterval(() => {
    const askedAtMs = Date.now();
    lease.acquire().then(
      (held) => {
        heldUntilMs = held ? askedAtMs + leaseMs : 0;
      },
      (error: unknown) => logger.warn({ err: error }, 'could not renew the migration lock'),
    );
  }, leaseMs / 3);
  return {
    requireHeld() {
      if (Date.now() >= heldUntilMs) throw new MigrationError('The migration lock was lost to another migrator');
    },
    stop() {
      clearInterval(timer);
    },
  };
}
