import { join } from 'node:path';
import { z } from 'zod';
import { runMigrations } from '@clew/host';
import { loadConfig } from '@clew/runtime';
import { ModelRuntimeConfig } from './config.ts';
import { migrations } from './migrations.ts';

const { MONGO_URL, MONGO_DATABASE, LOG_LEVEL } = ModelRuntimeConfig.shape;

/** Brings the database of models up to date; run before a new version is started. */
await runMigrations(
  join(import.meta.dirname, '..'),
  () => loadConfig(z.object({ MONGO_URL, MONGO_DATABASE, LOG_LEVEL }), process.env),
  migrations,
);
