import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runDatabaseApp } from '@clew/host';
import { createInferenceClient } from '@clew/inference';
import { DatasetsConfig } from './config.ts';
import { createDatasets } from './create-datasets.ts';
import { migrations } from './migrations.ts';

// Smaller steps of heap growth than the default: an import produces garbage quickly, and the heap would otherwise grow
// to twice the live data before a full collection.
setFlagsFromString('--heap-growing-percent=40');

await runDatabaseApp({
  name: 'datasets-svc',
  appFolder: join(import.meta.dirname, '..'),
  config: DatasetsConfig,
  migrations,
  create: (host) =>
    createDatasets({
      ...host,
      modelRuntime: host.client('model-runtime-svc'),
      warehouse: host.client('telemetry-warehouse'),
      diagnostics: host.client('diagnostics-svc'),
      knowledge: host.client('knowledge-svc'),
      inference: createInferenceClient(host.callerOf('model-runtime-svc')),
    }),
});
