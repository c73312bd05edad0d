import { join } from 'node:path';
import { runMigrations } from '@clew/host';
import { KnowledgeConfig } from './config.ts';
import { migrations } from './migrations.ts';

/** Brings the database up to date; run it before a new version starts. */
await runMigrations({
  name: 'knowledge-svc',
  appFolder: join(import.meta.dirname, '..'),
  config: KnowledgeConfig,
  migrations,
});
