import { Worker, type WorkerOptions } from 'node:worker_threads';

/** Memory of one thread: what a snapshot takes, parsed, many times over. */
const MAX_MEMORY_MB = 512;

/** A module that runs in a thread, with what it finds as its `workerData`. */
export interface ThreadModule extends Pick<WorkerOptions, 'workerData' | 'transferList'> {
  /** Its file, without the ending. */
  name: string;
  /** `import.meta.url` of a module that lies beside it. */
  parentUrl: string;
}

/**
 * Starts a module in a thread, from source where the parent runs from source: Node strips types by itself, and libraries
 * are found as sources, too. A thread is never to be ended from outside, since Node may crash when it ends one that is
 * starting (nodejs/node#56312).
 */
export function startThread({ name, parentUrl, ...given }: ThreadModule): Worker {
  const isSource = parentUrl.endsWith('.ts');
  return new Worker(new URL(`./${name}.${isSource ? 'ts' : 'js'}`, parentUrl), {
    ...(isSource ? { execArgv: ['--conditions=clew-source'] } : {}),
    resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB },
    ...given,
  });
}
