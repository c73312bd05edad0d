import { createFairLimiter, type Leave } from '@clew/kernel';
import { startThread, type ThreadModule } from './start-thread.ts';

/** Size below which work runs faster without a thread, because a thread takes a few hundred milliseconds to start. */
export const SMALL_BYTES = 256 * 1024;

/** Signals that work in a thread, including its wait for a thread, exceeded its deadline. */
export class ThreadDeadlineError extends Error {}

export interface ThreadsOptions {
  /** Time limit for waiting and work together. */
  deadlineMs: number;
  /** Maximum number of threads, all but one of which may work for one project; 3 by default. */
  maxThreads?: number;
}

/**
 * Runs a module in a thread, for a project, and resolves with its result. Rejects with a ThreadDeadlineError after the
 * deadline, with the error of the module, or if the module ends without a result.
 */
export type RunInThread = <Result>(projectId: string, module: ThreadModule) => Promise<Result>;

/**
 * Creates threads for work that would block the event loop for too long. No caller waits beyond the deadline, but a
 * thread counts until it has ended by itself, which the limits of its work ensure.
 */
export function createThreads({ deadlineMs, maxThreads = 3 }: ThreadsOptions): RunInThread {
  const threads = createFairLimiter({ places: maxThreads, share: Math.max(1, maxThreads - 1) });
  return async <Result>(projectId: string, module: ThreadModule) => {
    const deadline = AbortSignal.timeout(deadlineMs);
    const late = new ThreadDeadlineError(`${module.name} takes longer than ${deadlineMs} ms`);
    const { promise: givenUp, reject: giveUp } = Promise.withResolvers<never>();
    deadline.addEventListener('abort', () => giveUp(late));
    const leave = await Promise.race([threads.enter([projectId], deadline), givenUp]);
    return await Promise.race([answerOf<Result>(module, leave), givenUp]);
  };
}

function answerOf<Result>(module: ThreadModule, leave: Leave): Promise<Result> {
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  const thread = startThread(module);
  thread.once('message', resolve);
  thread.on('error', reject);
  thread.once('exit', () => {
    leave();
    reject(new Error(`${module.name} has ended without a word`));
  });
  return promise;
}
