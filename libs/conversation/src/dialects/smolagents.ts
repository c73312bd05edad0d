import { placeOf } from '@clew/kernel';
import { MAX_SEARCHED_CHARACTERS } from './limits.ts';
import { parsePythonLiteral } from './python-literal.ts';
import { isRecord, type JsonRecord } from './values.ts';

const CALLING = 'Calling tools:\n';
const OBSERVATION = 'Observation:\n';

/**
 * Converts the steps of smolagents to chat messages. Its memory repeats a model's calls as a text of role `tool-call`
 * after the model's own message, and stores results as texts of role `tool-response`.
 */
export function withAgentSteps(list: readonly unknown[]): readonly unknown[] {
  if (!list.some((item) => isRecord(item) && item.role === 'tool-call')) return list;
  const messages: unknown[] = [];
  for (const item of list) {
    const text = isRecord(item) ? textOf(item.content) : undefined;
    if (!isRecord(item) || text === undefined) messages.push(item);
    else if (item.role === 'tool-call' && text.startsWith(CALLING))
      addCalls(messages, item, text.slice(CALLING.length));
    else if (item.role === 'tool-response' && text.startsWith(OBSERVATION)) {
      messages.push({ ...item, content: text.slice(OBSERVATION.length) });
    } else messages.push(item);
  }
  return messages;
}

function textOf(content: unknown): string | undefined {
  const [part]: unknown[] = Array.isArray(content) && content.length === 1 ? content : [content];
  const text = isRecord(part) ? part.text : part;
  return typeof text === 'string' ? text : undefined;
}

function addCalls(messages: unknown[], item: JsonRecord, literal: string): void {
  const calls = parsePythonLiteral(literal);
  if (!Array.isArray(calls)) {
    messages.push(item);
    return;
  }
  const before = messages.at(-1);
  const said =
    isRecord(before) && before.role === 'assistant' && before.tool_calls === undefined
      ? textOf(before.content)
      : undefined;
  // An agent that writes code makes the call itself, from the code in the model's answer.
  const isFromText =
    said !== undefined &&
    calls.length * said.length <= MAX_SEARCHED_CHARACTERS &&
    calls.every((call) => isRecord(call) && isQuoted(call, said));
  const message = { role: 'assistant', tool_calls: calls, content: '' };
  if (said === undefined || isFromText) messages.push(message);
  else messages.splice(-1, 1, { ...message, content: said });
}

function isQuoted(call: JsonRecord, said: string): boolean {
  const given = isRecord(call.function) ? call.function.arguments : undefined;
  return typeof given === 'string' && given !== '' && placeOf(said, given) !== -1;
}
