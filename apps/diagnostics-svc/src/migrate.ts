import { join } from 'node:path';
import { runMigrations } from '@clew/host';
import { DiagnosticsConfig } from './config.ts';
import { migrations } from './migrations.ts';

/** Brings the database of Findings up to date; run it before a new version starts. */
await runMigrations({
  name: 'diagnostics-svc',
  appFolder: join(import.meta.dirname, '..'),
  config: DiagnosticsConfig,
  migrations,
});
