import { join } from 'node:path';
import { runDatabaseRole } from '@clew/host';
import { AgentConfig } from './agent/index.ts';
import { createAgentApp } from './create-agent-app.ts';
import { migrations } from './migrations.ts';

/** Runtime agent: the role of this app that has a volume, and runs the engines, downloads and services of projects. */
await runDatabaseRole({
  name: 'model-runtime-agent',
  appFolder: join(import.meta.dirname, '..'),
  config: AgentConfig,
  migrations,
  create: createAgentApp,
});
