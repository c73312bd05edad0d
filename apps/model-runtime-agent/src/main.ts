import { join } from 'node:path';
import { runDatabaseRole } from '@clew/host';
import { DATABASE_MIGRATIONS } from '@clew/model-runtime';
import { AgentConfig } from './config.ts';
import { createAgentApp } from './create-agent-app.ts';

/** Runtime agent: has a volume, and runs the engines, downloads and services of projects. */
await runDatabaseRole({
  name: 'model-runtime-agent',
  appFolder: join(import.meta.dirname, '..'),
  config: AgentConfig,
  migrations: DATABASE_MIGRATIONS,
  create: createAgentApp,
});
