import {
  COLLECTED_TAG,
  MAX_EXAMPLE_BYTES,
  REDACTED_TAG,
  type ConversationSnapshot,
  type SnapshotMessage,
} from '@clew/contracts';
import { refused, type Collected, type Refused } from './decision.ts';
import { exampleMessage, exampleMessages, exampleTools, type SaidMessage } from './example-messages.ts';
import { createRedactor, type Redactor } from '@clew/privacy';

/** Step of a conversation, with the response that an Example expects there. */
export interface ConversationStep {
  /** Messages up to and including the step; the input of the Example ends before it. */
  shown: readonly SnapshotMessage[];
  expected: SaidMessage;
  /** Response that was given at the step, if it was a mistake. */
  rejected?: SaidMessage;
  derivationKey: string;
  tags?: readonly string[];
  /** Further names of persons, besides those who speak. */
  persons?: readonly string[];
}

const MAX_TRACE_IDS = 1_000;

/** Makes the Example of a step of a conversation: all that stood before it, and the response. */
export function conversationExample(
  { conversationId, messages, tools }: ConversationSnapshot,
  { shown, expected, rejected, derivationKey, tags = [], persons = [] }: ConversationStep,
  redaction: boolean,
): Collected | Refused {
  const redactor = redaction ? createRedactor({ names: [...namesOf(messages), ...persons] }) : undefined;
  const before = shown.slice(0, -1);
  const read = () => ({
    input: exampleMessages(before, redactor),
    output: exampleMessage(expected, redactor),
    bad: rejected && exampleMessage(rejected, redactor),
  });
  // A first pass learns what a later message tells to be a secret, so that the messages before it lose it too.
  const first = read();
  const { input, output, bad } = redactedBy(redactor) === 0 ? first : read();
  if (output === undefined || input.length === 0) return refused('no_answer');
  const redacted = redactedBy(redactor);
  const example = {
    payload: {
      expectedOutput: { message: output, type: 'chat_message' },
      input: { messages: input, ...(tools.length === 0 ? {} : { tools: exampleTools(tools) }), type: 'chat' },
      ...(bad === undefined ? {} : { rejectedOutput: { message: bad, type: 'chat_message' } }),
    },
    source: { conversationId, derivationKey, kind: 'conversation', traceIds: traceIdsOf(shown) },
    tags: collectedTags(redacted, tags),
  };
  return collected(derivationKey, example, redacted);
}

/** Result with one Example, unless it is too large to be stored. */
export function collected(derivationKey: string, example: unknown, redacted: number): Collected | Refused {
  if (Buffer.byteLength(JSON.stringify(example)) > MAX_EXAMPLE_BYTES) return refused('example_too_large');
  return { status: 'collected', examples: [{ derivationKey, example }], redacted };
}

/** Tags of a collected Example. */
export function collectedTags(redacted: number, more: readonly string[] = []): string[] {
  return [COLLECTED_TAG, ...(redacted === 0 ? [] : [REDACTED_TAG]), ...more];
}

/** Number of values that a redactor has replaced. */
export function redactedBy(redactor: Redactor | undefined): number {
  return Object.values(redactor?.counts ?? {}).reduce((sum, count) => sum + count, 0);
}

function traceIdsOf(messages: readonly SnapshotMessage[]): string[] {
  return [...new Set(messages.map(({ traceId }) => traceId))].slice(-MAX_TRACE_IDS);
}

/** Names of the persons who speak. */
function namesOf(messages: readonly SnapshotMessage[]): string[] {
  return [...new Set(messages.flatMap(({ role, name }) => (role === 'user' && name !== undefined ? [name] : [])))];
}
