import { createLimiter } from '@clew/kernel';
import type { Logger } from '@clew/runtime';
import { startThread } from '../threads/start-thread.ts';
import type { Evaluation, EvaluationTask } from './evaluation.ts';

export interface EvaluateInThreadOptions {
  deadlineMs: number;
  logger: Logger;
}

/** Undefined where it took longer than the deadline, or could not be done at all. */
export type EvaluateInThread = (task: EvaluationTask) => Promise<Evaluation | undefined>;

/** As many conversations are evaluated at a time; others wait, within their deadline. */
const MAX_THREADS = 2;

/**
 * Evaluates Rules in a thread of their own. A snapshot may hold megabytes: to parse it takes longer than others should
 * wait for their turn, and so may one Rule. Nobody waits for a thread beyond the deadline, but it counts until it has
 * ended by itself, which the bounds of a snapshot and of each Rule see to.
 */
export function createEvaluateInThread({ deadlineMs, logger }: EvaluateInThreadOptions): EvaluateInThread {
  const threads = createLimiter(MAX_THREADS);

  /** Resolves when the thread has ended. */
  function started(task: EvaluationTask, leave: () => void): Promise<Evaluation | undefined> {
    let evaluation: Evaluation | undefined;
    const thread = startThread('evaluation-thread', import.meta.url, {
      workerData: task,
      transferList: [task.snapshotJson.buffer],
    });
    const { promise: ended, resolve: end } = Promise.withResolvers<Evaluation | undefined>();
    thread.once('message', (message: Evaluation) => (evaluation = message));
    thread.on('error', (error: unknown) => logger.error({ err: error }, 'an evaluation failed'));
    thread.once('exit', () => {
      leave();
      for (const problem of evaluation?.problems ?? []) logger.error({ problem }, 'a rule failed');
      end(evaluation);
    });
    return ended;
  }

  return async (task) => {
    const deadline = AbortSignal.timeout(deadlineMs);
    const { promise: late, resolve: giveUp } = Promise.withResolvers<undefined>();
    deadline.addEventListener('abort', () => giveUp(undefined));
    let leave;
    try {
      leave = await threads.enter(deadline);
    } catch (error) {
      if (deadline.aborted) return undefined;
      throw error;
    }
    return await Promise.race([started(task, leave), late]);
  };
}
