import { createFairLimiter, type Leave } from '@clew/kernel';
import { startThread, type ThreadModule } from './start-thread.ts';

/** A thread takes some hundred milliseconds to start: what is smaller is read sooner where it is. */
export const SMALL_BYTES = 256 * 1024;

/** Work in a thread, with the time that it waited for one, took longer than its deadline. */
export class ThreadDeadlineError extends Error {}

export interface ThreadsOptions {
  /** For waiting and work together. */
  deadlineMs: number;
  /** How many run at a time, and all but one of one project; 3 by default. */
  maxThreads?: number;
}

/**
 * Has a module say one thing of what it is given, for a project. Rejects with a ThreadDeadlineError after the deadline, with the error
 * of the module, or where it ends without a word.
 */
export type RunInThread = <Result>(projectId: string, module: ThreadModule) => Promise<Result>;

/**
 * Threads for work that takes longer than others should wait for the event loop. Nobody waits for one beyond the
 * deadline, but it counts until it has ended by itself, which the bounds of its work see to.
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
