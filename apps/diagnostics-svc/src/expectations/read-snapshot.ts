import {
  getSnapshot,
  type CheckedExpectation,
  type ConversationSnapshot,
  type Detection,
  type ExpectationCheck,
  type RuleConfiguration,
} from '@clew/contracts';
import type { ServiceClient } from '@clew/http';
import { AppError, ERROR_STATUS, readJson } from '@clew/kernel';
import { compilePrompt, detectBrokenExpectations, promptsOf, type ExpectationProposal } from '@clew/rules';
import { SMALL_BYTES, type RunInThread } from '@clew/runtime';

/** What is asked of a snapshot. */
export type Question =
  | { ask: 'detection'; expectation: CheckedExpectation; configuration: RuleConfiguration | undefined }
  | { ask: 'proposals'; prompt: AskedPrompt };

/** A prompt of the snapshot, and the tools that its sentences may speak of. */
export interface AskedPrompt {
  promptHash: string;
  agent?: string;
  tools: readonly string[];
}

export interface Answers {
  detection: Detection | undefined;
  /** Undefined where the snapshot does not show the prompt. */
  proposals: { conversationId: string; proposals: ExpectationProposal[] } | undefined;
}

/** To compile a prompt, and to look for many values in what was said, takes longer than to parse it. */
const SMALL_PROMPT_BYTES = 16 * 1024;
const SMALL_SEARCHED_BYTES = 32 * 1024;
const SEARCHING_FORMS: ReadonlySet<ExpectationCheck['form']> = new Set(['grounded_arguments', 'confirm_before']);

/** What the snapshot says to the question; the same in a thread as here. */
export function answerOf(json: Uint8Array, question: Question): Answers[Question['ask']] {
  const snapshot = getSnapshot.responses[200].parse(readJson(new TextDecoder().decode(json)));
  if (question.ask === 'proposals') return proposalsOf(snapshot, question.prompt);
  const [detection] = detectBrokenExpectations([question.expectation], snapshot, question.configuration);
  return detection;
}

function proposalsOf(snapshot: ConversationSnapshot, { promptHash, agent, tools }: AskedPrompt): Answers['proposals'] {
  const shown = promptsOf(snapshot).find((each) => each.promptHash === promptHash && each.agent === agent);
  if (shown === undefined) return undefined;
  const offered = tools.map((name) => ({ name }));
  const proposals = compilePrompt(shown.text, offered, agent === undefined ? {} : { agent });
  return { conversationId: snapshot.conversationId, proposals };
}

/** Asks a snapshot, as the warehouse sends it. Rejects with a ThreadDeadlineError where that takes too long. */
export type AskSnapshot = <Asked extends Question>(
  projectId: string,
  json: Uint8Array<ArrayBuffer>,
  question: Asked,
) => Promise<Answers[Asked['ask']]>;

/** What is large is read in a thread: that takes longer than others should wait for the event loop. */
export function createAskSnapshot(run: RunInThread): AskSnapshot {
  return async (projectId, json, question) => {
    type Answer = Answers[(typeof question)['ask']];
    if (json.byteLength <= smallBytesOf(question)) return answerOf(json, question) as Answer;
    return await run<Answer>(projectId, {
      ...{ name: 'snapshot-thread', parentUrl: import.meta.url },
      ...{ workerData: { json, question }, transferList: [json.buffer] },
    });
  };
}

/** The size up to which a snapshot is asked where it is, sooner than a thread has started. */
function smallBytesOf(question: Question): number {
  if (question.ask === 'proposals') return SMALL_PROMPT_BYTES;
  return SEARCHING_FORMS.has(question.expectation.check.form) ? SMALL_SEARCHED_BYTES : SMALL_BYTES;
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
