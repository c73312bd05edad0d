import { join } from 'node:path';
import { runMigrations } from '@clew/host';
import { ModelRuntimeConfig } from './config.ts';
import { migrations } from './migrations.ts';

/** Brings the models database up to date; run before a new version starts. */
await runMigrations({
  name: 'model-runtime-svc',
  appFolder: join(import.meta.dirname, '..'),
  config: ModelRuntimeConfig,
  migrations,
});
