import { join } from 'node:path';
import { runDatabaseApp } from '@clew/host';
import { WarehouseConfig } from './config.ts';
import { createWarehouse } from './create-warehouse.ts';
import { migrations } from './migrations.ts';

await runDatabaseApp({
  name: 'telemetry-warehouse',
  appFolder: join(import.meta.dirname, '..'),
  config: WarehouseConfig,
  migrations,
  create: (host) =>
    createWarehouse({
      ...host,
      erased: {
        diagnostics: host.client('diagnostics-svc'),
        datasets: host.client('datasets-svc'),
        knowledge: host.client('knowledge-svc'),
      },
    }),
});
