import { join } from 'node:path';
import { runDatabaseApp } from '@clew/host';
import { DiagnosticsConfig } from './config.ts';
import { createDiagnostics } from './create-diagnostics.ts';
import { migrations } from './migrations.ts';

await runDatabaseApp({
  name: 'diagnostics-svc',
  appFolder: join(import.meta.dirname, '..'),
  config: DiagnosticsConfig,
  migrations,
  create: (host) =>
    createDiagnostics({
      ...host,
      warehouse: host.client('telemetry-warehouse'),
      modelRuntime: host.client('model-runtime-svc'),
    }),
});
