import { readJson } from '@clew/kernel';
import type { ObservedAnswer, ObservedToolCall } from './observed-answer.ts';
import { isRecord, textOf, type JsonRecord } from './values.ts';

type Part = JsonRecord & { type: string };

export interface GenAiMessage {
  role: string;
  parts: Part[];
  name?: string;
  finish_reason?: string;
}

/** Maximum length of pictures and recordings that are kept in a message; a longer one is only mentioned. */
const MAX_INLINE_LENGTH = 64 * 1024;
const ROLES: Readonly<Record<string, string>> = { developer: 'system', function: 'tool' };

/** Converts a message of the OpenAI API to the form of the OpenTelemetry GenAI conventions. */
export function genAiMessage(message: JsonRecord): GenAiMessage {
  const role = textOf(message['role']) ?? 'user';
  const name = textOf(message['name']);
  return { role: ROLES[role] ?? role, parts: partsOf(message, role), ...(name === undefined ? {} : { name }) };
}

export function genAiAnswer(answer: ObservedAnswer): GenAiMessage {
  const parts: Part[] = [
    ...(answer.reasoning === '' ? [] : [{ type: 'reasoning', content: answer.reasoning }]),
    ...(answer.content === '' && answer.toolCalls.length > 0 ? [] : [{ type: 'text', content: answer.content }]),
    ...answer.toolCalls.map(toolCallPart),
  ];
  return { role: 'assistant', parts, finish_reason: answer.finishReason ?? 'stop' };
}

export function genAiTools(tools: unknown): unknown[] | undefined {
  if (!Array.isArray(tools)) return undefined;
  return (tools as unknown[]).map((tool) =>
    isRecord(tool) && isRecord(tool['function']) ? { type: 'function', ...tool['function'] } : tool,
  );
}

function partsOf(message: JsonRecord, role: string): Part[] {
  const { content } = message;
  if (role === 'tool' || role === 'function') {
    const id = textOf(message['tool_call_id']) ?? null;
    return [{ type: 'tool_call_response', id, response: plainText(content) ?? content ?? '' }];
  }
  const calls = Array.isArray(message['tool_calls']) ? (message['tool_calls'] as unknown[]).filter(isRecord) : [];
  const given: unknown[] = Array.isArray(content) ? content : content == null ? [] : [content];
  return [...given.map(contentPart), ...calls.map((call) => toolCallPart(readToolCall(call)))];
}

function plainText(content: unknown): string | undefined {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return undefined;
  return (content as unknown[]).map((part) => (isRecord(part) ? (textOf(part['text']) ?? '') : '')).join('');
}

function contentPart(part: unknown): Part {
  if (typeof part === 'string') return { type: 'text', content: part };
  if (!isRecord(part)) return { type: 'text', content: '' };
  const said = textOf(part['text']) ?? textOf(part['refusal']);
  if (said !== undefined) return { type: 'text', content: said };
  const image = part['image_url'];
  const url = textOf(image) ?? (isRecord(image) ? textOf(image['url']) : undefined);
  if (url !== undefined) return { type: 'uri', modality: 'image', uri: shortened(url) };
  const type = textOf(part['type']) ?? 'unknown';
  return JSON.stringify(part).length <= MAX_INLINE_LENGTH ? { ...part, type } : { type, omitted: true };
}

/** Shortens a URL; a data URL is as large as its picture. */
function shortened(url: string): string {
  return url.length <= MAX_INLINE_LENGTH ? url : `${url.slice(0, url.indexOf(',') + 1)}[omitted]`;
}

function readToolCall(call: JsonRecord): ObservedToolCall {
  const called = isRecord(call['function']) ? call['function'] : {};
  return {
    id: textOf(call['id']),
    name: textOf(called['name']) ?? '',
    arguments: textOf(called['arguments']) ?? '',
  };
}

function toolCallPart({ id, name, arguments: given }: ObservedToolCall): Part {
  return { type: 'tool_call', id: id ?? null, name, arguments: parsedOrText(given) };
}

function parsedOrText(text: string): unknown {
  try {
    return readJson(text);
  } catch {
    return text;
  }
}
