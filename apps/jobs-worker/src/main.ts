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
    const deadlineMs = callDeadlineMs(host.config.MAX_HEARTBEAT_AGE_MS);
    return createWorker({
      ...host,
      warehouse: host.client('telemetry-warehouse'),
      diagnostics: host.client('diagnostics-svc'),
      knowledge: host.client('knowledge-svc'),
      inference: createInferenceClient({
        ...host.callerOf('model-runtime-svc'),
        // Both queues may hold all places of a project for one provider: a command with a place must not wait again
        // here.
        maxConcurrentPerProvider: 2 * PLACES_OF_PROJECT,
        deadlineMs,
        // A slow model may use the whole deadline for its answer: a call that is cut off would start anew.
        timeoutMs: deadlineMs,
      }),
      rules: BUILT_IN_RULES,
    });
  },
});
