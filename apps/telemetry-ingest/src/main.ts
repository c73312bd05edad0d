import { join } from 'node:path';
import { runApp } from '@clew/host';
import { createServiceClient } from '@clew/http';
import { IngestConfig } from './config.ts';
import { createIngest } from './create-ingest.ts';

/** Time for which a message waits for an allowance at most; then it is accepted and counted. */
const COUNTS_TIMEOUT_MS = 2_000;

await runApp({
  name: 'telemetry-ingest',
  appFolder: join(import.meta.dirname, '..'),
  config: IngestConfig,
  create: (host) =>
    createIngest({
      ...host,
      warehouse: host.client('telemetry-warehouse'),
      counts: createServiceClient({ ...host.callerOf('telemetry-warehouse'), timeoutMs: COUNTS_TIMEOUT_MS }),
    }),
});
