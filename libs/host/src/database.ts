import { connectMongo, migrate, pendingMigrations, type Database, type Migration } from '@clew/persistence';
import { createLogger, readServiceInfo, startService, type Logger, type ReadinessCheck } from '@clew/runtime';

export interface DatabaseConfig {
  MONGO_URL: string;
  MONGO_MAX_POOL_SIZE: number;
  MONGO_DATABASE: string;
  LOG_LEVEL: string;
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

/** The whole of an app's `migrate` command: brings its database up to date and ends. */
export async function runMigrations(
  appFolder: string,
  loadConfig: () => Omit<DatabaseConfig, 'MONGO_MAX_POOL_SIZE'>,
  migrations: readonly Migration[],
): Promise<void> {
  await startService(async () => {
    const config = loadConfig();
    const info = readServiceInfo(appFolder, 'server');
    const logger = createLogger({ service: info.service, version: info.version, level: config.LOG_LEVEL });
    const database = await connectMongo({
      url: config.MONGO_URL,
      database: config.MONGO_DATABASE,
      appName: `${info.service}-migrate`,
      logger,
      // Building an index on a large collection takes longer than any ordinary operation.
      socketTimeoutMs: 0,
    });
    const applied = await migrate(database, migrations, { logger });
    logger.info({ applied }, 'migrated');
    await database.close();
  });
}
