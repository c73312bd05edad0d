import { Worker, type WorkerOptions } from 'node:worker_threads';

/** Memory of one thread: many times the size of a parsed snapshot. */
const MAX_MEMORY_MB = 512;

/** Module that runs in a thread, with its `workerData`. */
export interface ThreadModule extends Pick<WorkerOptions, 'workerData'> {
  /** Its file, without the extension. */
  name: string;
  /** `import.meta.url` of a module in the same folder. */
  parentUrl: string;
}

/**
 * Starts a module in a thread, from source if the parent runs from source: Node strips types by itself, and libraries
 * are also resolved to sources. Never terminate a thread from outside, because Node may crash when it terminates one
 * that is starting (nodejs/node#56312).
 */
export function startThread({ name, parentUrl, ...given }: ThreadModule): Worker {
  const isSource = parentUrl.endsWith('.ts');
  return new Worker(new URL(`./${name}.${isSource ? 'ts' : 'js'}`, parentUrl), {
    ...(isSource ? { execArgv: ['--conditions=clew-source'] } : {}),
    resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB },
    ...given,
  });
}
