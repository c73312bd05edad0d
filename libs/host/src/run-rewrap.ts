import { z } from 'zod';
import { connectMongo } from '@clew/persistence';
import { createLogger, credentialVariables, loadConfig, startService } from '@clew/runtime';
import { createSecretBox } from '@clew/secrets';
import { rewrapSecrets, type StoredSecrets } from './rewrap-secrets.ts';
import { databaseVariables, type DatabaseOwner } from './variables.ts';

export interface RewrapOptions {
  name: DatabaseOwner;
  /** Everything in the app's database that is encrypted with AUTH_SECRET. */
  stored: readonly StoredSecrets[];
}

/**
 * Implements an app's `rewrap` command: wraps the stored credentials with the present AUTH_SECRET, prints a report as
 * JSON, and fails if any were left.
 */
export async function runRewrap({ name, stored }: RewrapOptions): Promise<void> {
  await startService(async () => {
    const { MONGO_URL, MONGO_DATABASE } = databaseVariables(name);
    const schema = z.object({ MONGO_URL, MONGO_DATABASE, ...credentialVariables });
    const config = loadConfig(schema, process.env);
    const database = await connectMongo({
      url: config.MONGO_URL,
      database: config.MONGO_DATABASE,
      appName: `${name}-rewrap`,
      logger: createLogger({ service: name, version: '', level: 'silent' }),
    });
    const secrets = { authSecret: config.AUTH_SECRET, previousAuthSecret: config.AUTH_SECRET_PREVIOUS };
    const report = await rewrapSecrets(database, createSecretBox(secrets), stored);
    await database.close();
    process.stdout.write(`${JSON.stringify(report)}\n`);
    if (report.unreadable > 0) process.exitCode = 1;
  });
}
