import { join } from 'node:path';
import { runDatabaseApp } from '@clew/host';
import { KnowledgeConfig } from './config.ts';
import { createKnowledge } from './create-knowledge.ts';
import { migrations } from './migrations.ts';

await runDatabaseApp({
  name: 'knowledge-svc',
  appFolder: join(import.meta.dirname, '..'),
  config: KnowledgeConfig,
  migrations,
  create: createKnowledge,
});
