import { join } from 'node:path';
import { runMigrations } from '@clew/host';
import { WarehouseConfig } from './config.ts';
import { migrations } from './migrations.ts';

/** Brings the telemetry database up to date; run before a new version starts. */
await runMigrations({
  name: 'telemetry-warehouse',
  appFolder: join(import.meta.dirname, '..'),
  config: WarehouseConfig,
  migrations,
});
