import { join } from 'node:path';
import { runApp } from '@clew/host';
import { callDeadlineMs, createInferenceClient } from '@clew/inference';
import { BUILT_IN_RULES } from '@clew/rules';
import { WorkerConfig } from './config.ts';
import { createWorker, PLACES_OF_PROJECT } from './create-worker.ts';

await runApp({
  name: 'jobs-worker',
  appFolder: join(import.meta.dirname, '..'),
  config: WorkerConfig,
  create: (host) => {
    const deadlineMs = callDeadlineMs(host.config.MAX_BEAT_AGE_MS);
    return createWorker({
      ...host,
      warehouse: host.client('telemetry-warehouse'),
      inference: createInferenceClient({
        ...host.callerOf('model-runtime-svc'),
        // A project's places of both queues may be for one provider: what has a place does not wait once more.
        maxConcurrentPerProvider: 2 * PLACES_OF_PROJECT,
        deadlineMs,
        // A slow model may take all the time that there is for its answer: what was cut off would begin anew.
        timeoutMs: deadlineMs,
      }),
      rules: BUILT_IN_RULES,
    });
  },
});
