import {
  COLLECTED_TAG,
  MAX_EXAMPLE_BYTES,
  REDACTED_TAG,
  type CollectedExample,
  type ConversationSnapshot,
  type DiagnosedConversation,
  type DiagnosedProblem,
  type RefusalReason,
  type SnapshotMessage,
  type SuccessSignalKind,
} from '@clew/contracts';
import { successOf } from '@clew/rules';
import { derivationKeyOf } from './derivation.ts';
import { exampleMessage, exampleMessages, exampleTools } from './example-messages.ts';
import { createRedactor, type Redactor } from './redaction/index.ts';

/** Decision on one conversation. */
export type Decision =
  | {
      readonly status: 'collected';
      readonly because: SuccessSignalKind;
      readonly examples: [CollectedExample];
      /** Personal data and secrets that were replaced. */
      readonly redacted: number;
    }
  | { readonly status: 'refused'; readonly reason: RefusalReason };

export interface CollectOptions {
  datasetId: string;
  redaction: boolean;
}

/** Probability of failure from which a conversation is no model for others, however it ended. */
const LIKELY_FAILED = 0.4;
const GRAVE = new Set(['critical', 'high', 'medium']);
const MAX_TRACE_IDS = 1_000;

/**
 * Decides on a conversation for `preserve_successful_behavior`: the answer that reached what the user wanted, with all
 * that stood before it. There must be a sign of success, no open problem of medium severity or above, and, unless a
 * person or an evaluator has scored it, no likely failure.
 */
export function preserve(
  snapshot: ConversationSnapshot,
  diagnosed: DiagnosedConversation | undefined,
  options: CollectOptions,
): Decision {
  if (diagnosed === undefined) return refused('not_analysed');
  if (snapshot.truncated) return refused('conversation_too_long');
  const success = successOf(snapshot);
  if ('missing' in success) return refused(success.missing);
  const { kind, answerAt } = success.signal;
  if (diagnosed.problems.some(isOpen)) return refused('open_problem');
  if (kind !== 'score' && (diagnosed.score ?? 0) > LIKELY_FAILED) return refused('likely_failed');
  const shown = snapshot.messages.slice(0, answerAt + 1);
  if (shown.some(({ textExpired }) => textExpired === true)) return refused('words_expired');
  return exampleOf(snapshot, shown, kind, options);
}

/**
 * Tells whether a problem stands against its conversation: it is grave enough, and nobody has dismissed it. That it was
 * resolved since does not make the conversation a good one.
 */
function isOpen({ severity, reviewStatus }: DiagnosedProblem): boolean {
  return GRAVE.has(severity) && reviewStatus !== 'dismissed';
}

function exampleOf(
  { conversationId, messages, tools }: ConversationSnapshot,
  shown: readonly SnapshotMessage[],
  because: SuccessSignalKind,
  { datasetId, redaction }: CollectOptions,
): Decision {
  const redactor = redaction ? createRedactor({ names: namesOf(messages) }) : undefined;
  // A first pass learns what a later message tells to be a secret, so that the messages before it lose it too.
  if (redactor !== undefined) exampleMessages(shown, redactor);
  const input = exampleMessages(shown.slice(0, -1), redactor);
  const answer = shown.at(-1);
  const output = answer && exampleMessage(answer, redactor);
  if (output === undefined || input.length === 0) return refused('no_answer');
  const derivationKey = derivationKeyOf({
    ...{ datasetId, objective: 'preserve_successful_behavior', conversationId, messages: shown },
  });
  const redacted = countOf(redactor);
  const example = {
    payload: {
      expectedOutput: { message: output, type: 'chat_message' },
      input: { messages: input, ...(tools.length === 0 ? {} : { tools: exampleTools(tools) }), type: 'chat' },
    },
    source: { conversationId, derivationKey, kind: 'conversation', traceIds: traceIdsOf(shown) },
    tags: [COLLECTED_TAG, ...(redacted === 0 ? [] : [REDACTED_TAG])],
  };
  if (Buffer.byteLength(JSON.stringify(example)) > MAX_EXAMPLE_BYTES) return refused('example_too_large');
  return { status: 'collected', because, examples: [{ derivationKey, example }], redacted };
}

function traceIdsOf(messages: readonly SnapshotMessage[]): string[] {
  return [...new Set(messages.map(({ traceId }) => traceId))].slice(-MAX_TRACE_IDS);
}

/** Names of the persons who speak. */
function namesOf(messages: readonly SnapshotMessage[]): string[] {
  return [...new Set(messages.flatMap(({ role, name }) => (role === 'user' && name !== undefined ? [name] : [])))];
}

function countOf(redactor: Redactor | undefined): number {
  return Object.values(redactor?.counts ?? {}).reduce((sum, count) => sum + count, 0);
}

function refused(reason: RefusalReason): Decision {
  return { status: 'refused', reason };
}
