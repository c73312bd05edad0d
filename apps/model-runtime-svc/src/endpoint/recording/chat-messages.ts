import { createHash } from 'node:crypto';
import type { ObservedAnswer } from './observed-answer.ts';
import { isRecord, textOf, type JsonRecord } from './values.ts';

/** Messages of a chat request. */
export function messagesOf(request: JsonRecord): JsonRecord[] {
  return Array.isArray(request['messages']) ? (request['messages'] as unknown[]).filter(isRecord) : [];
}

interface SaidMessage {
  role: string;
  text: string;
  /** Content parts other than text. */
  others: unknown[];
  toolCalls: { id: string | null; name: string; arguments: string }[];
  toolCallId: string | null;
}

/**
 * Roles of instructions, which do not count as words of the conversation: applications put the time of day into them.
 */
const INSTRUCTIONS = new Set(['system', 'developer']);

/** Hashes of a chat's words up to several points. */
export interface SaidSoFar {
  /** Hash after the whole request. */
  request: string;
  /** Hashes after each assistant message within the request, the latest first. */
  answered: string[];
  /** Hash after the answer to the request, if there was one. */
  answer: string | undefined;
}

/**
 * Calculates the hashes. Two chats have the same hash exactly if they have the same messages up to that point, however
 * their clients write them down. `seed` separates chats that never belong to one conversation.
 */
export function saidSoFar(
  seed: string,
  messages: readonly JsonRecord[],
  answer: ObservedAnswer | undefined,
): SaidSoFar {
  let hash = digest('', seed);
  const answered: string[] = [];
  for (const [index, message] of messages.entries()) {
    const said = readMessage(message);
    if (INSTRUCTIONS.has(said.role)) continue;
    hash = digest(hash, JSON.stringify(said));
    if (said.role === 'assistant' && index < messages.length - 1) answered.push(hash);
  }
  return {
    request: hash,
    answered: answered.reverse(),
    answer: answer === undefined ? undefined : digest(hash, JSON.stringify(readAnswer(answer))),
  };
}

function digest(before: string, text: string): string {
  return createHash('sha256').update(before).update('\n').update(text).digest('base64url');
}

function readMessage(message: JsonRecord): SaidMessage {
  const { content } = message;
  const parts = Array.isArray(content) ? (content as unknown[]) : [content];
  const texts = parts.map(partText);
  return {
    role: textOf(message['role']) ?? '',
    text: texts
      .filter((text) => text !== undefined)
      .join('')
      .trim(),
    others: parts.filter((part, index) => texts[index] === undefined && part != null),
    toolCalls: toolCallsOf(message['tool_calls']),
    toolCallId: textOf(message['tool_call_id']) ?? null,
  };
}

function partText(part: unknown): string | undefined {
  if (typeof part === 'string') return part;
  return isRecord(part) ? (textOf(part['text']) ?? textOf(part['refusal'])) : undefined;
}

function toolCallsOf(value: unknown): SaidMessage['toolCalls'] {
  const calls = Array.isArray(value) ? (value as unknown[]).filter(isRecord) : [];
  return calls.map((call) => {
    const called = isRecord(call['function']) ? call['function'] : {};
    return {
      id: textOf(call['id']) ?? null,
      name: textOf(called['name']) ?? '',
      arguments: textOf(called['arguments']) ?? '',
    };
  });
}

function readAnswer(answer: ObservedAnswer): SaidMessage {
  const toolCalls = answer.toolCalls.map(({ id, ...call }) => ({ id: id ?? null, ...call }));
  return { role: 'assistant', text: answer.content.trim(), others: [], toolCalls, toolCallId: null };
}
