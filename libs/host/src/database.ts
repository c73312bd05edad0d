import { connectMongo, pendingMigrations, type Database, type Migration } from '@clew/persistence';
import type { Logger, ReadinessCheck } from '@clew/runtime';

export interface DatabaseConfig {
  MONGO_URL: string;
  MONGO_MAX_POOL_SIZE: number;
  MONGO_DATABASE: string;
}

export interface OpenDatabaseOptions {
  config: DatabaseConfig;
  /** Shown as the connection's name in the database. */
  appName: string;
  logger: Logger;
}

const READINESS_PING_MS = 1_500;

/** Connects to a service's own database. */
export function openDatabase({ config, appName, logger }: OpenDatabaseOptions): Promise<Database> {
  return connectMongo({
    url: config.MONGO_URL,
    database: config.MONGO_DATABASE,
    appName,
    logger,
    maxPoolSize: config.MONGO_MAX_POOL_SIZE,
  });
}

/** A service is ready when its database answers and has the schema that the code needs. */
export function databaseChecks(database: Database, migrations: readonly Migration[]): ReadinessCheck[] {
  return [
    { name: 'mongo', check: () => database.ping(READINESS_PING_MS) },
    {
      name: 'migrations',
      async check() {
        if ((await pendingMigrations(database, migrations)).length > 0) throw new Error('Migrations are pending');
      },
    },
  ];
}
