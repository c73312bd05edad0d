import { Worker, type WorkerOptions } from 'node:worker_threads';

/** Of one thread: what a snapshot takes, parsed, many times over. */
const MAX_MEMORY_MB = 512;

/**
 * Starts the module that lies beside `parentUrl` in a thread, from source where the parent runs from source: Node strips
 * types by itself, and libraries are found as sources, too. A thread is never to be ended from outside, since Node may
 * crash when it ends one that is starting (nodejs/node#56312).
 */
export function startThread(
  name: string,
  parentUrl: string,
  given: Pick<WorkerOptions, 'workerData' | 'transferList'>,
): Worker {
  const isSource = parentUrl.endsWith('.ts');
  return new Worker(new URL(`./${name}.${isSource ? 'ts' : 'js'}`, parentUrl), {
    ...(isSource ? { execArgv: ['--conditions=clew-source'] } : {}),
    resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB },
    ...given,
  });
}
