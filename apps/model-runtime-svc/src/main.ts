import { join } from 'node:path';
import { runDatabaseApp } from '@clew/host';
import { ModelRuntimeConfig } from './config.ts';
import { createModelRuntime } from './create-model-runtime.ts';
import { migrations } from './migrations.ts';

await runDatabaseApp({
  name: 'model-runtime-svc',
  appFolder: join(import.meta.dirname, '..'),
  config: ModelRuntimeConfig,
  migrations,
  create: (host) => createModelRuntime({ ...host, warehouse: host.client('telemetry-warehouse') }),
});
