import { connectMongo, type Database } from '@clew/persistence';
import { createLogger, mongoVariables, processVariables, readServiceInfo, secretVariables } from '@clew/runtime';
import { GatewayConfig } from './config.ts';

/** Variables of every command that works on the gateway's database, on the server. */
export const commandVariables = {
  ...mongoVariables,
  ...secretVariables,
  LOG_LEVEL: processVariables.LOG_LEVEL.default('warn'),
  MONGO_DATABASE: GatewayConfig.shape.MONGO_DATABASE,
};

/** Runs a command with the database. Logs go to standard error: standard output holds only what the command makes. */
export async function withDatabase(
  config: Pick<GatewayConfig, 'LOG_LEVEL' | 'MONGO_URL' | 'MONGO_DATABASE'>,
  command: string,
  run: (database: Database) => Promise<void>,
): Promise<void> {
  const info = readServiceInfo(`${import.meta.dirname}/..`, { service: 'gateway' });
  const logger = createLogger({ ...info, level: config.LOG_LEVEL, destination: process.stderr });
  const appName = `${info.service}-${command}`;
  const database = await connectMongo({ url: config.MONGO_URL, database: config.MONGO_DATABASE, appName, logger });
  try {
    await run(database);
  } finally {
    await database.close();
  }
}
