import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runDatabaseApp } from '@clew/host';
import { DatasetsConfig } from './config.ts';
import { createDatasets } from './create-datasets.ts';
import { migrations } from './migrations.ts';

// An import makes garbage faster than the collector thinks worth its while: by default the heap grows to twice what lives.
setFlagsFromString('--heap-growing-percent=40');

await runDatabaseApp({
  name: 'datasets-svc',
  appFolder: join(import.meta.dirname, '..'),
  config: DatasetsConfig,
  migrations,
  create: (host) => createDatasets({ ...host, modelRuntime: host.client('model-runtime-svc') }),
});
