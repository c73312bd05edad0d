import { createThreadPool, ThreadDeadlineError, type Logger } from '@clew/runtime';
import type { Evaluation, EvaluationTask } from './evaluation.ts';

export interface EvaluateInThreadOptions {
  deadlineMs: number;
  logger: Logger;
}

/** Evaluates in a thread; `undefined` if the evaluation took longer than the deadline, or failed. */
export type EvaluateInThread = (projectId: string, task: EvaluationTask) => Promise<Evaluation | undefined>;

/**
 * Evaluates Rules in a thread of their own. To parse a snapshot of megabytes would block the event loop for too long,
 * and so may a single Rule.
 */
export function createEvaluateInThread({ deadlineMs, logger }: EvaluateInThreadOptions): EvaluateInThread {
  const module = { name: 'evaluation-thread', parentUrl: import.meta.url };
  const threads = createThreadPool({ module, deadlineMs });
  return async (projectId, task) => {
    try {
      const evaluation = await threads.ask<Evaluation>(projectId, task, [task.snapshotJson.buffer]);
      for (const problem of evaluation.problems) logger.error({ problem }, 'a rule failed');
      return evaluation;
    } catch (error) {
      if (!(error instanceof ThreadDeadlineError)) logger.error({ err: error }, 'an evaluation failed');
      return undefined;
    }
  };
}
