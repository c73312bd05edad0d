import { z } from 'zod';
import type { ServiceName } from '@clew/contracts';
import { migrateTopology } from '@clew/messaging';
import { connectMongo, migrate, type Migration } from '@clew/persistence';
import { createLogger, loadConfig, readServiceInfo, startService, type Logger } from '@clew/runtime';

export interface MigrationOptions {
  name: ServiceName;
  /** The folder of the app's package.json. */
  appFolder: string;
  /** The app's configuration, of which a migration reads only where its server is. */
  config: z.ZodObject;
}

/** The whole of an app's `migrate` command: brings its database up to date and ends. */
export async function runMigrations(options: MigrationOptions & { migrations: readonly Migration[] }): Promise<void> {
  await startService(async () => {
    const { MONGO_URL = '', MONGO_DATABASE = '' } = readVariables(options, ['MONGO_URL', 'MONGO_DATABASE']);
    const logger = loggerOf(options);
    const database = await connectMongo({
      url: MONGO_URL,
      database: MONGO_DATABASE,
      appName: `${options.name}-migrate`,
      logger,
      // Building an index on a large collection takes longer than any ordinary operation.
      socketTimeoutMs: 0,
    });
    const applied = await migrate(database, options.migrations, { logger });
    logger.info({ applied }, 'migrated');
    await database.close();
  });
}

/** The same for the topology of the broker, which one app answers for: that of all who publish and consume. */
export async function runTopologyMigration(options: MigrationOptions): Promise<void> {
  await startService(async () => {
    const { AMQP_URL = '' } = readVariables(options, ['AMQP_URL']);
    const logger = loggerOf(options);
    await migrateTopology({ url: AMQP_URL, logger });
    logger.info('migrated the topology of the broker');
  });
}

function readVariables({ config }: MigrationOptions, names: readonly string[]): Record<string, string> {
  const shape = config.shape as Record<string, z.ZodType>;
  const wanted = Object.entries(shape).filter(([name]) => names.includes(name));
  return loadConfig(z.object(Object.fromEntries(wanted)), process.env) as Record<string, string>;
}

function loggerOf({ name, appFolder, config }: MigrationOptions): Logger {
  const { LOG_LEVEL = 'info' } = readVariables({ name, appFolder, config }, ['LOG_LEVEL']);
  return createLogger({
    service: name,
    version: readServiceInfo(appFolder, { service: name }).version,
    level: LOG_LEVEL,
  });
}
