import {
  isOutage,
  openMongo,
  pendingMigrations,
  reasonOfOutage,
  type Database,
  type MigrationId,
  type OpenedDatabase,
} from '@clew/persistence';
import { comeBackLater, type AppError } from '@clew/kernel';
import { NotReadyError, type Logger, type ReadinessCheck } from '@clew/runtime';

export interface DatabaseConfig {
  MONGO_URL: string;
  MONGO_MAX_POOL_SIZE: number;
  MONGO_DATABASE: string;
}

export interface OpenDatabaseOptions {
  config: DatabaseConfig;
  /** Name of the connection in the database. */
  appName: string;
  logger: Logger;
}

const READINESS_PING_MS = 1_500;
/** Retry delay: a new primary is elected within about ten seconds, so an earlier retry is mostly useless. */
const ASK_AGAIN_MS = 5_000;

/** Begins to connect to a service's own database, and resolves even while that is away. */
export function openDatabase({ config, appName, logger }: OpenDatabaseOptions): Promise<OpenedDatabase> {
  return openMongo({
    url: config.MONGO_URL,
    database: config.MONGO_DATABASE,
    appName,
    logger,
    maxPoolSize: config.MONGO_MAX_POOL_SIZE,
  });
}

/** Checks of a service's database: it is ready when the database answers and has the schema that the code needs. */
export function databaseChecks(database: Database, migrations: readonly MigrationId[]): ReadinessCheck[] {
  return [
    {
      name: 'mongo',
      async check() {
        try {
          await database.ping(READINESS_PING_MS);
        } catch (error) {
          throw new NotReadyError(`The database does not answer: ${reasonOfOutage(error)}`, { cause: error });
        }
      },
    },
    {
      name: 'migrations',
      async check() {
        const pending = await pendingMigrations(database, migrations).catch((error: unknown) => {
          throw isOutage(error) ? new NotReadyError('The database does not answer', { cause: error }) : error;
        });
        if (pending.length > 0) throw new NotReadyError('The database lacks migrations of this version');
      },
    },
  ];
}

/** Returns the caller's error for a request that failed because the database is away; undefined for other failures. */
export function outageError(error: unknown): AppError | undefined {
  if (!isOutage(error)) return undefined;
  return comeBackLater('UPSTREAM_UNAVAILABLE', 'The service cannot reach its database', ASK_AGAIN_MS, error);
}
