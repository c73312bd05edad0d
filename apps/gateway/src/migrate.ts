import { join } from 'node:path';
import { runMigrations } from '@clew/host';
import { GatewayConfig } from './config.ts';
import { migrations } from './migrations.ts';

/** Brings the identity database up to date; run before a new version starts. */
await runMigrations({
  name: 'gateway',
  appFolder: join(import.meta.dirname, '..'),
  config: GatewayConfig,
  migrations,
});
