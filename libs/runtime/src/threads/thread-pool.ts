import type { Transferable, Worker } from 'node:worker_threads';
import { createFairLimiter } from '@clew/kernel';
import { startThread, type ThreadModule } from './start-thread.ts';

export interface ThreadPoolOptions {
  module: Pick<ThreadModule, 'name' | 'parentUrl'>;
  /** Maximum number of threads; a project has at most all but one of them. */
  maxThreads: number;
}

/** Threads that stay, for small work that comes often. */
export interface ThreadPool {
  /**
   * Sends a question to the module, and resolves with its answer, which the module posts as `{ answer }` or
   * `{ failure }`. Rejects if the module fails or ends. Work of one project waits for its own.
   */
  ask<Answer>(projectId: string, question: unknown, transfer?: readonly Transferable[]): Promise<Answer>;
  /** Lets the threads end by themselves, once they have answered. */
  close(): void;
}

type Reply = { answer: unknown } | { failure: string };

/** Creates a pool; each thread starts with the first question that finds no other idle. */
export function createThreadPool({ module, maxThreads }: ThreadPoolOptions): ThreadPool {
  const places = createFairLimiter({ places: maxThreads, share: Math.max(1, maxThreads - 1) });
  const idle: Worker[] = [];
  let isClosed = false;

  const take = (): Worker => {
    const known = idle.pop();
    if (known !== undefined) return known;
    const thread = startThread(module);
    // An idle thread keeps no process alive.
    thread.unref();
    thread.once('exit', () => {
      const index = idle.indexOf(thread);
      if (index >= 0) idle.splice(index, 1);
    });
    thread.on('error', () => undefined);
    return thread;
  };

  const give = (thread: Worker) => {
    thread.unref();
    if (isClosed) thread.postMessage(undefined);
    else idle.push(thread);
  };

  return {
    ask: <Answer>(projectId: string, question: unknown, transfer: readonly Transferable[] = []) =>
      places.run([projectId], async () => {
        const thread = take();
        thread.ref();
        const reply = await replyOf(thread, () => thread.postMessage(question, transfer));
        give(thread);
        if ('failure' in reply) throw new Error(`${module.name}: ${reply.failure}`);
        return reply.answer as Answer;
      }),
    close() {
      isClosed = true;
      for (const thread of idle.splice(0)) thread.postMessage(undefined);
    },
  };
}

/** Waits for the reply of a thread; one that ends or fails before is lost. */
async function replyOf(thread: Worker, send: () => void): Promise<Reply> {
  const { promise, resolve, reject } = Promise.withResolvers<Reply>();
  const ended = () => reject(new Error('a thread has ended without a word'));
  thread.once('message', resolve);
  thread.once('error', reject);
  thread.once('exit', ended);
  try {
    send();
    return await promise;
  } finally {
    thread.off('message', resolve);
    thread.off('error', reject);
    thread.off('exit', ended);
  }
}
