import { parentPort } from 'node:worker_threads';
import type { PrivacySettings } from '@clew/contracts';
import { describeError } from '@clew/kernel';
import { createProtectMessage } from './protect-messages.ts';

/** Question to a thread that protects messages. */
export interface ProtectionQuestion {
  body: Uint8Array;
  privacy: PrivacySettings;
}

/**
 * Body of a worker thread: takes out of messages what their projects do not want to be stored, one message after the
 * other, until `undefined` arrives. The answer is `{answer}`, the bytes of the protected message, or `{failure}`.
 */
export function answerProtectionQuestions(): void {
  const protect = createProtectMessage();
  parentPort?.on('message', (question: ProtectionQuestion | undefined) => {
    if (question === undefined) {
      parentPort?.close();
      return;
    }
    try {
      const answer = protect(question.body, question.privacy);
      parentPort?.postMessage({ answer }, [answer.buffer]);
    } catch (error) {
      parentPort?.postMessage({ failure: describeError(error) });
    }
  });
}
