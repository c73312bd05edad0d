// Takes secrets and personal data out of messages, one after the other, until `undefined` arrives.
import { parentPort } from 'node:worker_threads';
import { describeError } from '@clew/kernel';
import { createProtectMessage } from '@clew/privacy';
import type { ProtectionQuestion } from './protection.ts';

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
