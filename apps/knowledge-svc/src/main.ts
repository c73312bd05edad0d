import { join } from 'node:path';
import { runDatabaseApp } from '@clew/host';
import { createInferenceClient } from '@clew/inference';
import { KnowledgeConfig } from './config.ts';
import { createKnowledge } from './create-knowledge.ts';
import { migrations } from './migrations.ts';
import { callPatience } from './search/index.ts';

await runDatabaseApp({
  name: 'knowledge-svc',
  appFolder: join(import.meta.dirname, '..'),
  config: KnowledgeConfig,
  migrations,
  create: (host) =>
    createKnowledge({
      ...host,
      warehouse: host.client('telemetry-warehouse'),
      modelRuntime: host.client('model-runtime-svc'),
      inference: createInferenceClient({ ...host.callerOf('model-runtime-svc'), ...callPatience() }),
    }),
});
