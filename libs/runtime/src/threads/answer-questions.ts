import { parentPort, type Transferable } from 'node:worker_threads';
import { describeError } from '@clew/kernel';

/** Reply of a thread to one question. */
export type Reply = { answer: unknown } | { failure: string };

export interface AnswerOptions<Answer> {
  /** Parts of an answer that are moved to the asking thread, and not copied. */
  transferOf?(answer: Answer): readonly Transferable[];
}

/**
 * Body of a thread of a `ThreadPool`: answers one question after the other, until `undefined` arrives. An error becomes
 * the failure of its question alone.
 */
export function answerQuestions<Question, Answer>(
  answerOf: (question: Question) => Answer,
  { transferOf = () => [] }: AnswerOptions<Answer> = {},
): void {
  const reply = (given: Reply, transfer: readonly Transferable[] = []) => parentPort?.postMessage(given, transfer);
  parentPort?.on('message', (question: Question | undefined) => {
    if (question === undefined) {
      parentPort?.close();
      return;
    }
    try {
      const answer = answerOf(question);
      reply({ answer }, transferOf(answer));
    } catch (error) {
      reply({ failure: describeError(error) });
    }
  });
}
