import { join } from 'node:path';
import { runMigrations } from '@clew/host';
import { DatasetsConfig } from './config.ts';
import { migrations } from './migrations.ts';

/** Brings the database of Datasets up to date; run it before a new version starts. */
await runMigrations({
  name: 'datasets-svc',
  appFolder: join(import.meta.dirname, '..'),
  config: DatasetsConfig,
  migrations,
});
