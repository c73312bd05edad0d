import { decodeMessages, looksLikeMessage } from './chat-message.ts';
import type { MessageRole, ReadMessage, SpanContent } from './span-reading.ts';
import { canonicalText, isRecord, parseJson, wellFormed, type JsonRecord } from './values.ts';

/** Where frameworks put the input and the output of an agent or of a whole run, in any shape. */
const INPUT_KEYS = [
  'langfuse.trace.input',
  'langfuse.observation.input',
  'input.value',
  'traceloop.entity.input',
  'gen_ai.task.input',
];
const OUTPUT_KEYS = [
  'langfuse.trace.output',
  'langfuse.observation.output',
  'output.value',
  'traceloop.entity.output',
  'gen_ai.task.output',
];

/** The fields that hold what a person asked, or the answer, in the records that frameworks pass around. */
const TEXT_FIELDS = [
  'input',
  'query',
  'question',
  'prompt',
  'message',
  'task',
  'user_input',
  'text',
  'output',
  'answer',
  'response',
  'result',
  'content',
];
const WRAPPERS = ['inputs', 'kwargs', 'args', 'outputs', 'data', 'body', 'state'];
const MAX_UNWRAPPING = 4;

/**
 * Input and output of a span that records them without the structure of messages. Only the outermost spans are read
 * this way, and only where no model call inside them says more.
 */
export function readGenericContent(attributes: JsonRecord, wanted: { input: boolean; output: boolean }): SpanContent {
  const input = wanted.input ? firstPresent(attributes, INPUT_KEYS) : undefined;
  const output = wanted.output ? firstPresent(attributes, OUTPUT_KEYS) : undefined;
  return {
    ...(input === undefined ? {} : { input: genericMessages(input, 'user') }),
    ...(output === undefined ? {} : { output: afterLastQuestion(genericMessages(output, 'assistant')) }),
  };
}

function firstPresent(attributes: JsonRecord, keys: readonly string[]): unknown {
  return keys.map((key) => attributes[key]).find((value) => value !== undefined && value !== null);
}

function genericMessages(value: unknown, role: MessageRole): ReadMessage[] {
  const parsed = typeof value === 'string' ? parseJson(value) : value;
  // A text that happens to be a JSON number or word is a text.
  if (typeof parsed !== 'object' || parsed === null) {
    return [{ role, content: typeof parsed === 'string' ? wellFormed(parsed) : wellFormed(String(value)) }];
  }
  const found = messagesIn(parsed, role, 0);
  return found ?? [{ role, content: typeof value === 'string' ? wellFormed(value) : canonicalText(value) }];
}

function messagesIn(value: unknown, role: MessageRole, depth: number): ReadMessage[] | undefined {
  if (depth > MAX_UNWRAPPING) return undefined;
  if (looksLikeMessage(value)) return decodeMessages(value, role);
  if (Array.isArray(value)) {
    if (value.length > 0 && value.every(looksLikeMessage)) return decodeMessages(value, role);
    return value.length === 1 ? messagesIn(value[0], role, depth + 1) : undefined;
  }
  if (!isRecord(value))
    return typeof value === 'string' && depth > 0 ? [{ role, content: wellFormed(value) }] : undefined;
  if (Array.isArray(value.messages))
    return value.messages.length === 0 ? [] : messagesIn(value.messages, role, depth + 1);
  if (Array.isArray(value.choices)) return decodeMessages(value.choices, role);
  if (Object.values(value).every(isEmpty)) return [];
  for (const field of TEXT_FIELDS) {
    const text = value[field];
    if (typeof text === 'string') return [{ role, content: wellFormed(text) }];
  }
  for (const field of WRAPPERS) {
    const inner = value[field] === undefined ? undefined : messagesIn(value[field], role, depth + 1);
    if (inner !== undefined) return inner;
  }
  return undefined;
}

/** Nothing was passed: `{args: [], kwargs: {}}`. */
function isEmpty(value: unknown): boolean {
  return value === null || (typeof value === 'object' && Object.keys(value).length === 0);
}

/** A graph's output is its whole state; only what follows the last question is the answer. */
function afterLastQuestion(messages: ReadMessage[]): ReadMessage[] {
  return messages.slice(messages.findLastIndex((message) => message.role === 'user') + 1);
}
