import { getSnapshot, type CheckedExpectation, type Detection, type RuleConfiguration } from '@clew/contracts';
import type { ServiceClient } from '@clew/http';
import { AppError, ERROR_STATUS, readJson } from '@clew/kernel';
import { detectBrokenExpectations, promptsOf } from '@clew/rules';
import { runInThread, SMALL_BYTES } from '../threads/run-in-thread.ts';

/** What is asked of a snapshot. */
export type Question =
  | { ask: 'detection'; expectation: CheckedExpectation; configuration: RuleConfiguration | undefined }
  | { ask: 'prompts' };

export interface Answers {
  detection: Detection | undefined;
  prompts: { conversationId: string; prompts: ReturnType<typeof promptsOf> };
}

/** What the snapshot says to the question; the same in a thread as here. */
export function answerOf(json: Uint8Array, question: Question): Answers[Question['ask']] {
  const snapshot = getSnapshot.responses[200].parse(readJson(new TextDecoder().decode(json)));
  if (question.ask === 'prompts') {
    return { conversationId: snapshot.conversationId, prompts: promptsOf(snapshot) };
  }
  const [detection] = detectBrokenExpectations([question.expectation], snapshot, question.configuration);
  return detection;
}

/**
 * Asks a snapshot, as the warehouse sends it. One of megabytes is read in a thread: that takes longer than others should
 * wait for the event loop.
 */
export async function askSnapshot<Asked extends Question>(
  json: Uint8Array<ArrayBuffer>,
  question: Asked,
): Promise<Answers[Asked['ask']]> {
  if (json.byteLength <= SMALL_BYTES) return answerOf(json, question) as Answers[Asked['ask']];
  return await runInThread('snapshot-thread', import.meta.url, json, { question });
}

/** As the warehouse sends it; undefined where retention has taken it. */
export async function snapshotJson(
  warehouse: ServiceClient,
  { requestId, ...params }: { projectId: string; snapshotId: string; requestId?: string },
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  try {
    return await warehouse.json(getSnapshot, { params, ...(requestId === undefined ? {} : { requestId }) });
  } catch (error) {
    if (error instanceof AppError && ERROR_STATUS[error.code] === 404) return undefined;
    throw error;
  }
}
