import { join } from 'node:path';
import { runMigrations } from '@clew/host';
import { KnowledgeConfig } from './config.ts';
import { migrations } from './migrations.ts';

/** Brings the database up to date; run before a new version is started. */
await runMigrations({
  name: 'knowledge-svc',
  appFolder: join(import.meta.dirname, '..'),
  config: KnowledgeConfig,
  migrations,
});
