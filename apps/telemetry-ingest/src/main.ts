import { join } from 'node:path';
import { runApp } from '@clew/host';
import { IngestConfig } from './config.ts';
import { createIngest } from './create-ingest.ts';

await runApp({
  name: 'telemetry-ingest',
  appFolder: join(import.meta.dirname, '..'),
  config: IngestConfig,
  create: (host) => createIngest({ ...host, warehouse: host.client('telemetry-warehouse') }),
});
