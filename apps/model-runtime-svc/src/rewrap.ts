import { z } from 'zod';
import { connectMongo } from '@clew/persistence';
import { createLogger, loadConfig, startService } from '@clew/runtime';
import { createSecretBox } from '@clew/secrets';
import { ModelRuntimeConfig } from './config.ts';
import { rewrapSecrets } from './rewrap-secrets.ts';

const { MONGO_URL, MONGO_DATABASE, AUTH_SECRET, AUTH_SECRET_PREVIOUS } = ModelRuntimeConfig.shape;

/** Wraps the stored credentials with the present AUTH_SECRET; prints a report as JSON, and fails if any were left. */
await startService(async () => {
  const schema = z.object({ MONGO_URL, MONGO_DATABASE, AUTH_SECRET, AUTH_SECRET_PREVIOUS });
  const config = loadConfig(schema, process.env);
  const database = await connectMongo({
    url: config.MONGO_URL,
    database: config.MONGO_DATABASE,
    appName: 'model-runtime-svc-rewrap',
    logger: createLogger({ service: 'model-runtime-svc', version: '', level: 'silent' }),
  });
  const secrets = { authSecret: config.AUTH_SECRET, previousAuthSecret: config.AUTH_SECRET_PREVIOUS };
  const report = await rewrapSecrets(database, createSecretBox(secrets));
  await database.close();
  process.stdout.write(`${JSON.stringify(report)}\n`);
  if (report.unreadable > 0) process.exitCode = 1;
});
