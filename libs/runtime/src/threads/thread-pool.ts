import type { Transferable, Worker } from 'node:worker_threads';
import { createFairLimiter } from '@clew/kernel';
import type { Reply } from './answer-questions.ts';
import { startThread, type ThreadModule } from './start-thread.ts';

/** Size below which work runs faster without a thread, because a thread takes a few hundred milliseconds to start. */
export const SMALL_BYTES = 256 * 1024;

/** Time in which the next question comes while somebody works with what is read, or results come in batches. */
const IDLE_MS = 30_000;

/** Signals that work in a thread, including its wait for a thread, exceeded its deadline. */
export class ThreadDeadlineError extends Error {}

export interface ThreadPoolOptions {
  module: Pick<ThreadModule, 'name' | 'parentUrl'>;
  /** Maximum number of threads, all but one of which may work for one project; 3 by default. */
  maxThreads?: number;
  /** Time limit for waiting and work together; none by default. */
  deadlineMs?: number;
  /** Time after which an idle thread ends, with its memory; 30,000 by default. */
  idleMs?: number | 'unlimited';
}

/** Threads for work that would block the event loop for too long. */
export interface ThreadPool {
  /**
   * Sends a question to the module, which answers with `answerQuestions`. Rejects if the module fails or ends, and with
   * a ThreadDeadlineError after the deadline; the thread counts until it has answered nevertheless, which the limits of
   * its work ensure. Work of one project waits for its own.
   */
  ask<Answer>(projectId: string, question: unknown, transfer?: readonly Transferable[]): Promise<Answer>;
  /** Lets the threads end by themselves, once they have answered. */
  close(): void;
}

/** Creates a pool; each thread starts with the first question that finds no other idle. */
export function createThreadPool(options: ThreadPoolOptions): ThreadPool {
  const { module, maxThreads = 3, deadlineMs, idleMs = IDLE_MS } = options;
  const places = createFairLimiter({ places: maxThreads, share: Math.max(1, maxThreads - 1) });
  const idle = createIdleThreads(idleMs);
  let isClosed = false;

  const start = (): Worker => {
    const thread = startThread(module);
    thread.once('exit', () => idle.forget(thread));
    thread.on('error', () => undefined);
    return thread;
  };

  const answerOf = async (question: unknown, transfer: readonly Transferable[]): Promise<unknown> => {
    const thread = idle.take() ?? start();
    thread.ref();
    const reply = await replyOf(thread, () => thread.postMessage(question, transfer));
    // An idle thread keeps no process alive.
    thread.unref();
    if (isClosed) end(thread);
    else idle.give(thread);
    if ('failure' in reply) throw new Error(`${module.name}: ${reply.failure}`);
    return reply.answer;
  };

  return {
    async ask<Answer>(projectId: string, question: unknown, transfer: readonly Transferable[] = []) {
      if (deadlineMs === undefined) {
        return (await places.run([projectId], () => answerOf(question, transfer))) as Answer;
      }
      const deadline = AbortSignal.timeout(deadlineMs);
      const { promise: givenUp, reject: giveUp } = Promise.withResolvers<never>();
      const late = new ThreadDeadlineError(`${module.name} takes longer than ${deadlineMs} ms`);
      deadline.addEventListener('abort', () => giveUp(late));
      const leave = await Promise.race([places.enter([projectId], deadline), givenUp]);
      const answered = answerOf(question, transfer).finally(leave);
      return (await Promise.race([answered, givenUp])) as Answer;
    },
    close() {
      isClosed = true;
      idle.end();
    },
  };
}

/** Threads that wait for a question. */
function createIdleThreads(idleMs: number | 'unlimited') {
  const ends = new Map<Worker, NodeJS.Timeout | undefined>();
  const forget = (thread: Worker) => {
    clearTimeout(ends.get(thread));
    ends.delete(thread);
  };
  const dismiss = (thread: Worker) => {
    forget(thread);
    end(thread);
  };
  return {
    forget,
    give(thread: Worker) {
      ends.set(thread, idleMs === 'unlimited' ? undefined : setTimeout(() => dismiss(thread), idleMs).unref());
    },
    /** Takes the one that worked last, so that those that are not needed end. */
    take(): Worker | undefined {
      const last = [...ends.keys()].at(-1);
      if (last !== undefined) forget(last);
      return last;
    },
    end: () => [...ends.keys()].forEach(dismiss),
  };
}

function end(thread: Worker): void {
  thread.postMessage(undefined);
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
