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
import { createThreadPool, SMALL_BYTES } from '@clew/runtime';

export type Question =
  | { ask: 'detection'; expectation: CheckedExpectation; configuration: RuleConfiguration | undefined }
  | { ask: 'proposals'; prompt: AskedPrompt };

/** Prompt of the snapshot, and the tools that its sentences may mention. */
export interface AskedPrompt {
  promptHash: string;
  agent?: string;
  tools: readonly string[];
}

export interface Answers {
  detection: Detection | undefined;
  /** Undefined if the snapshot does not show the prompt. */
  proposals: { conversationId: string; proposals: ExpectationProposal[] } | undefined;
}

/**
 * Size limits in bytes for an answer outside a thread. They are smaller than for parsing alone, because compiling a
 * prompt or searching for many values takes longer.
 */
const SMALL_PROMPT_BYTES = 16 * 1024;
const SMALL_SEARCHED_BYTES = 32 * 1024;
const SEARCHING_FORMS: ReadonlySet<ExpectationCheck['form']> = new Set(['grounded_arguments', 'confirm_before']);

/** Answers the question from the snapshot; used both in a thread and on the main one. */
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

/**
 * Asks a snapshot in the form in which the warehouse sends it. Rejects with a ThreadDeadlineError if that takes too
 * long.
 */
export type AskSnapshot = <Asked extends Question>(
  projectId: string,
  json: Uint8Array<ArrayBuffer>,
  question: Asked,
) => Promise<Answers[Asked['ask']]>;

/** Question about a snapshot, to a thread. */
export interface SnapshotQuestion {
  json: Uint8Array;
  question: Question;
}

/** Reads large snapshots in a thread, because they would block the event loop for too long. */
export function createAskSnapshot({ deadlineMs }: { deadlineMs: number }): AskSnapshot {
  const module = { name: 'snapshot-thread', parentUrl: import.meta.url };
  const threads = createThreadPool({ module, deadlineMs });
  return async (projectId, json, question) => {
    type Answer = Answers[(typeof question)['ask']];
    if (json.byteLength <= smallBytesOf(question)) return answerOf(json, question) as Answer;
    return await threads.ask<Answer>(projectId, { json, question } satisfies SnapshotQuestion, [json.buffer]);
  };
}

/** Size in bytes up to which a snapshot is read on the main thread, faster than a thread could start. */
function smallBytesOf(question: Question): number {
  if (question.ask === 'proposals') return SMALL_PROMPT_BYTES;
  return SEARCHING_FORMS.has(question.expectation.check.form) ? SMALL_SEARCHED_BYTES : SMALL_BYTES;
}

/** Reads a snapshot as raw JSON; `undefined` if retention has removed it. */
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
