import { decodeMessages, looksLikeMessage } from './chat-message.ts';
import type { MessageRole, ReadMessage, SpanContent, WorkKind } from './span-reading.ts';
import { canonicalText, isRecord, parseJson, wellFormed, type JsonRecord } from './values.ts';

/** Attributes in which frameworks store the input and the output of an agent or of a whole run, in any shape. */
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

/** Fields with the question or the answer in the records that frameworks pass around. */
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

/** Content to read from the generic attributes, and the kind of the span. */
export interface GenericWanted {
  kind: WorkKind;
  input: boolean;
  output: boolean;
}

/** Value of unknown shape, decoded as messages. */
interface Found {
  messages: ReadMessage[];
  /** True if the value is text or contains messages; false if it is data, or nothing. */
  isSaid: boolean;
  /** True if the value is an API's answer outside a chat: a list of models, embeddings, a file. */
  isListing: boolean;
}

/**
 * Reads input and output of a span that records them without the structure of messages. Only the outermost spans are
 * read this way, and only if no model call inside them has more. Undefined if the span holds no chat: it returned data,
 * and nobody had asked in words.
 */
export function readGenericContent(attributes: JsonRecord, wanted: GenericWanted): SpanContent | undefined {
  const given = wanted.input ? firstPresent(attributes, INPUT_KEYS) : undefined;
  const gained = wanted.output ? firstPresent(attributes, OUTPUT_KEYS) : undefined;
  const input = given === undefined ? undefined : genericMessages(given, 'user');
  const output = gained === undefined ? undefined : genericMessages(gained, 'assistant');
  if (!isChat(wanted, input, output)) return undefined;
  return {
    ...(input === undefined ? {} : { input: input.messages }),
    ...(output === undefined ? {} : { output: afterLastQuestion(output.messages) }),
  };
}

function isChat({ kind, ...wanted }: GenericWanted, input: Found | undefined, output: Found | undefined): boolean {
  // An agent may return data.
  if (kind === 'agent') return true;
  if (output?.isListing === true) return false;
  // Every call of a model asks something.
  if (kind === 'model_call' && wanted.output && input?.messages.length === 0) return false;
  const isAsked = !wanted.input || input?.isSaid === true;
  return isAsked || output === undefined || output.isSaid;
}

function firstPresent(attributes: JsonRecord, keys: readonly string[]): unknown {
  return keys.map((key) => attributes[key]).find((value) => value !== undefined && value !== null);
}

function genericMessages(value: unknown, role: MessageRole): Found {
  const parsed = typeof value === 'string' ? parseJson(value) : value;
  // A text that happens to be a JSON number or word is a text.
  if (typeof parsed !== 'object' || parsed === null) {
    const content = typeof parsed === 'string' ? wellFormed(parsed) : wellFormed(String(value));
    return { messages: [{ role, content }], isSaid: true, isListing: false };
  }
  const found = messagesIn(parsed, role, 0);
  const content = typeof value === 'string' ? wellFormed(value) : canonicalText(value);
  return {
    messages: found ?? [{ role, content }],
    isSaid: found !== undefined && found.length > 0,
    // The APIs of models name the kind of their answer; a chat's answer would have been found.
    isListing: found === undefined && isRecord(parsed) && typeof parsed.object === 'string',
  };
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

/** Tells whether nothing was passed, as in `{args: [], kwargs: {}}`. */
function isEmpty(value: unknown): boolean {
  return value === null || (typeof value === 'object' && Object.keys(value).length === 0);
}

/** Keeps the messages after the last question: a graph's output is its whole state, and only these are the answer. */
function afterLastQuestion(messages: ReadMessage[]): ReadMessage[] {
  return messages.slice(messages.findLastIndex((message) => message.role === 'user') + 1);
}
