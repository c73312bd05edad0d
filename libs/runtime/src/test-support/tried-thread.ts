import { threadId } from 'node:worker_threads';
import { answerQuestions } from '../threads/answer-questions.ts';

/** Question to the thread of tests. */
export interface Tried {
  does: 'tell its thread' | 'fail' | 'end the thread' | 'work';
  forMs?: number;
}

answerQuestions(({ does, forMs = 0 }: Tried) => {
  if (does === 'fail') throw new Error('cannot be done');
  if (does === 'end the thread') process.exit(1);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, forMs);
  return threadId;
});
