import { join } from 'node:path';
import { runMigrations } from '@clew/host';
import { WarehouseConfig } from './config.ts';
import { migrations } from './migrations.ts';

/** Brings the database of conversations up to date; run before a new version is started. */
await runMigrations({
  name: 'telemetry-warehouse',
  appFolder: join(import.meta.dirname, '..'),
  config: WarehouseConfig,
  migrations,
});
