import { z } from 'zod';
import type { ServiceName } from '@clew/contracts';
import { brokerThere, migrateTopology } from '@clew/messaging';
import { migrate, openMongo, type Migration } from '@clew/persistence';
import { createLogger, loadConfig, readServiceInfo, startService, UsageError, type Logger } from '@clew/runtime';

export interface MigrationOptions {
  name: ServiceName;
  /** Folder of the app's package.json. */
  appFolder: string;
  /** Configuration of the app; a migration reads only the address of its server. */
  config: z.ZodObject;
}

/** Implements an app's `migrate` command: migrates its database and ends. */
export async function runMigrations(options: MigrationOptions & { migrations: readonly Migration[] }): Promise<void> {
  await startService(async () => {
    const { MONGO_URL, MONGO_DATABASE, MIGRATION_WAIT_MS } = readVariables(options, DATABASE_VARIABLES);
    const logger = loggerOf(options);
    const { database, whenConnected } = await openMongo({
      url: MONGO_URL,
      database: MONGO_DATABASE,
      appName: `${options.name}-migrate`,
      logger,
      // Building an index on a large collection takes longer than any ordinary operation.
      socketTimeoutMs: 0,
    });
    await whenConnected(AbortSignal.timeout(MIGRATION_WAIT_MS)).catch((error: unknown) => {
      throw neverThere('database', MIGRATION_WAIT_MS, error);
    });
    const applied = await migrate(database, options.migrations, { logger });
    logger.info({ applied }, 'migrated');
    await database.close();
  });
}

/** Migrates the topology of the broker, for all publishers and consumers; one app is responsible for that. */
export async function runTopologyMigration(options: MigrationOptions): Promise<void> {
  await startService(async () => {
    const { AMQP_URL, MIGRATION_WAIT_MS } = readVariables(options, BROKER_VARIABLES);
    const logger = loggerOf(options);
    await brokerThere(AMQP_URL, { signal: AbortSignal.timeout(MIGRATION_WAIT_MS), logger }).catch((error: unknown) => {
      throw neverThere('broker', MIGRATION_WAIT_MS, error);
    });
    await migrateTopology({ url: AMQP_URL, logger });
    logger.info('migrated the topology of the broker');
  });
}

/** Converts a timeout of the wait to a one-line message for the user of the command. */
function neverThere(server: string, waitMs: number, error: unknown): UsageError {
  if (!(error instanceof Error) || error.name !== 'TimeoutError') throw error;
  return new UsageError(`The ${server} could not be reached within ${waitMs / 1_000} s; nothing was migrated`);
}

/** Variables of a migration; an app with migrations has those of its server. */
interface MigrationVariables {
  MONGO_URL: string;
  MONGO_DATABASE: string;
  AMQP_URL: string;
  MIGRATION_WAIT_MS: number;
  LOG_LEVEL: string;
}

type VariableName = keyof MigrationVariables;
const DATABASE_VARIABLES = ['MONGO_URL', 'MONGO_DATABASE', 'MIGRATION_WAIT_MS'] as const;
const BROKER_VARIABLES = ['AMQP_URL', 'MIGRATION_WAIT_MS'] as const;

function readVariables<const Name extends VariableName>(
  { config }: Pick<MigrationOptions, 'config'>,
  names: readonly Name[],
): Pick<MigrationVariables, Name> {
  const shape = config.shape as Record<VariableName, z.ZodType>;
  const wanted = Object.fromEntries(names.map((name) => [name, shape[name]]));
  return loadConfig(z.object(wanted), process.env) as unknown as Pick<MigrationVariables, Name>;
}

function loggerOf({ name, appFolder, config }: MigrationOptions): Logger {
  const { LOG_LEVEL } = readVariables({ config }, ['LOG_LEVEL']);
  return createLogger({
    service: name,
    version: readServiceInfo(appFolder, { service: name }).version,
    level: LOG_LEVEL,
  });
}
