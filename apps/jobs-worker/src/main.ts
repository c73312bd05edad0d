import { join } from 'node:path';
import { runApp } from '@clew/host';
import { callDeadlineMs, createInferenceClient } from '@clew/inference';
import { QUEUES } from '@clew/messaging';
import { BUILT_IN_RULES } from '@clew/rules';
import { WorkerConfig } from './config.ts';
import { createWorker } from './create-worker.ts';

await runApp({
  name: 'jobs-worker',
  appFolder: join(import.meta.dirname, '..'),
  config: WorkerConfig,
  create: (host) =>
    createWorker({
      ...host,
      warehouse: host.client('telemetry-warehouse'),
      inference: createInferenceClient({
        ...host.callerOf('model-runtime-svc'),
        // What a worker has in hand for Knowledge may all be for one provider.
        maxConcurrentPerProvider: QUEUES.extraction.prefetch,
        deadlineMs: callDeadlineMs(host.config.MAX_BEAT_AGE_MS),
      }),
      rules: BUILT_IN_RULES,
    }),
});
