import { join } from 'node:path';
import { runApp } from '@clew/host';
import { BUILT_IN_RULES } from '@clew/rules';
import { WorkerConfig } from './config.ts';
import { createWorker } from './create-worker.ts';

await runApp({
  name: 'jobs-worker',
  appFolder: join(import.meta.dirname, '..'),
  config: WorkerConfig,
  create: (host) => createWorker({ ...host, warehouse: host.client('telemetry-warehouse'), rules: BUILT_IN_RULES }),
});
