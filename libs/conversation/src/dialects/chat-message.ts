import { addPart, emptySink, type PartSink } from './content-parts.ts';
import { finishReason } from './finish-reason.ts';
import { MAX_MESSAGES_PER_SPAN } from './limits.ts';
import { withGroupedItems } from './response-items.ts';
import { withAgentSteps } from './smolagents.ts';
import type { MessageRole, ReadMessage, ReadToolCall } from './span-reading.ts';
import { isErrorResult, toolCallOf, toolResultText } from './tool-values.ts';
import { canonicalText, identifier, isRecord, wellFormed, type JsonRecord } from './values.ts';

const ROLES: ReadonlyMap<string, MessageRole> = new Map<string, MessageRole>([
  ...['system', 'developer', 'instruction', 'systemmessage'].map((name) => [name, 'system'] as const),
  ...['user', 'human', 'humanmessage', 'customer'].map((name) => [name, 'user'] as const),
  ...['assistant', 'ai', 'model', 'bot', 'aimessage', 'aimessagechunk', 'tool-call', 'agent'].map(
    (name) => [name, 'assistant'] as const,
  ),
  ...['tool', 'function', 'toolmessage', 'functionmessage', 'tool-response', 'tool_response', 'observation'].map(
    (name) => [name, 'tool'] as const,
  ),
]);

/** Maps a framework's role name to the canonical role; undefined if it is not a role. */
export function roleOf(name: unknown): MessageRole | undefined {
  return typeof name === 'string' ? ROLES.get(name.toLowerCase()) : undefined;
}

/**
 * Decodes messages from any of the shapes that instrumentations record: a list of messages, one message, or a bare
 * text. `fallback` is the role of messages without one.
 */
export function decodeMessages(value: unknown, fallback: MessageRole): ReadMessage[] {
  if (typeof value === 'string') return [{ role: fallback, content: wellFormed(value) }];
  const list = Array.isArray(value) ? withAgentSteps(withGroupedItems(value.slice(0, MAX_MESSAGES_PER_SPAN))) : [value];
  const messages: ReadMessage[] = [];
  for (const item of list) {
    if (typeof item === 'string') messages.push({ role: fallback, content: wellFormed(item) });
    // Batched chat models record a list of lists.
    else if (Array.isArray(item))
      messages.push(...item.filter(isRecord).flatMap((inner) => decodeMessage(inner, fallback)));
    else if (isRecord(item)) messages.push(...decodeMessage(item, fallback));
  }
  return messages;
}

/** Tells whether a value has the shape of a message, so that it may be decoded as one. */
export function looksLikeMessage(value: unknown): boolean {
  if (!isRecord(value)) return false;
  if (typeof value.role === 'string') return true;
  if (value.lc !== undefined && isRecord(value.kwargs)) return true;
  return roleOf(value.type) !== undefined && (Object.hasOwn(value, 'content') || isRecord(value.data));
}

/** Decodes a recorded message; it becomes several if it carries tool results beside its own text. */
export function decodeMessage(recorded: JsonRecord, fallback: MessageRole): ReadMessage[] {
  const { record, role: wrappedRole } = unwrapped(recorded);
  const role = wrappedRole ?? roleOf(record.role) ?? roleOf(record.type) ?? fallback;
  const sink = emptySink();
  if (role === 'tool') addToolContent(sink, record);
  else addContent(sink, contentOf(record));
  addToolCalls(sink, record);
  addReasoning(sink, record);
  const own = ownMessage(role, record, sink);
  const spokenName = role === 'tool' ? identifier(record.name) : undefined;
  const results = sink.results.map(({ id, name = spokenName, content, isError }) => ({
    role: 'tool' as const,
    content,
    ...(id === undefined ? {} : { toolCallId: id }),
    ...(name === undefined ? {} : { name }),
    ...(isError ? { isError } : {}),
  }));
  if (results.length === 0) return own === undefined ? [] : [own];
  const isSilent = own === undefined || (own.content === '' && !own.toolCalls && !own.attachments && !own.reasoning);
  if (isSilent) return results;
  // A model's tools run after it called them; a user's message comes after the results sent with it.
  return role === 'assistant' ? [own, ...results] : [...results, own];
}

/** Unwraps a message serialized by LangChain with a class name, or with a type beside the data. */
function unwrapped(record: JsonRecord): { record: JsonRecord; role?: MessageRole } {
  if (record.lc !== undefined && isRecord(record.kwargs)) {
    const className: unknown = Array.isArray(record.id) ? record.id.at(-1) : undefined;
    const role = roleOf(className) ?? roleOf(record.kwargs.type);
    return { record: record.kwargs, ...(role === undefined ? {} : { role }) };
  }
  const role = roleOf(record.type);
  if (role !== undefined && isRecord(record.data)) return { record: record.data, role };
  if (isRecord(record.message) && record.role === undefined && record.content === undefined) {
    return { record: { finish_reason: record.finish_reason, ...record.message } };
  }
  return { record };
}

function contentOf(record: JsonRecord): unknown {
  return record.content ?? record.parts ?? record.text ?? record.refusal;
}

function addContent(sink: PartSink, content: unknown): void {
  if (Array.isArray(content)) for (const part of content.slice(0, MAX_MESSAGES_PER_SPAN)) addPart(sink, part);
  else if (isRecord(content) && (typeof content.type === 'string' || typeof content.text === 'string'))
    addPart(sink, content);
  else if (isRecord(content) && Array.isArray(content.parts)) addContent(sink, content.parts);
  else if (typeof content === 'string') sink.texts.push(wellFormed(content));
  else if (content !== undefined && content !== null) sink.texts.push(canonicalText(content));
}

/** Adds the content of a tool message. It is the result, unless it consists of results that name their calls. */
function addToolContent(sink: PartSink, record: JsonRecord): void {
  const parts = record.parts ?? record.content;
  if (Array.isArray(parts)) {
    const inner = emptySink();
    for (const part of parts.slice(0, MAX_MESSAGES_PER_SPAN)) addPart(inner, part);
    if (inner.results.length > 0 || record.parts !== undefined) {
      sink.results.push(...inner.results);
      sink.texts.push(...inner.texts);
      sink.attachments.push(...inner.attachments);
      return;
    }
  }
  sink.texts.push(toolResultText(contentOf(record)));
}

function addToolCalls(sink: PartSink, record: JsonRecord): void {
  const extra = isRecord(record.additional_kwargs) ? record.additional_kwargs : {};
  const lists = [record.tool_calls, record.toolCalls, extra.tool_calls];
  const calls = lists.find((list): list is unknown[] => Array.isArray(list) && list.length > 0);
  const single = record.function_call ?? extra.function_call;
  // The list repeats the calls among the parts, so it replaces them.
  if (calls !== undefined) sink.toolCalls = decodeToolCalls(calls);
  else if (sink.toolCalls.length === 0 && isRecord(single)) sink.toolCalls.push(toolCallOf(single));
}

export function decodeToolCalls(calls: readonly unknown[]): ReadToolCall[] {
  return calls.slice(0, MAX_MESSAGES_PER_SPAN).filter(isRecord).map(toolCallOf);
}

function addReasoning(sink: PartSink, record: JsonRecord): void {
  const reasoning = record.reasoning_content ?? record.reasoning;
  if (typeof reasoning === 'string' && reasoning !== '') sink.reasoning.push(wellFormed(reasoning));
}

/**
 * Joins text parts. Those of a model's answer are pieces of one text and are joined without a separator, like the SDKs
 * do; those of other roles are separate pieces (a document, a question) and get separate lines.
 */
export function joinTexts(role: MessageRole, texts: readonly string[]): string {
  return texts.join(role === 'assistant' ? '' : '\n');
}

function ownMessage(role: MessageRole, record: JsonRecord, sink: PartSink): ReadMessage | undefined {
  if (role === 'tool' && sink.results.length > 0 && sink.texts.length === 0) return undefined;
  const name = identifier(record.name);
  const toolCallId = role === 'tool' ? identifier(record.tool_call_id ?? record.toolCallId ?? record.id) : undefined;
  const reason = finishReason(record.finish_reason ?? record.finishReason ?? record.stop_reason);
  const isMissing = contentOf(record) === undefined && sink.reasoning.length === 0 && !hasArguments(record);
  return {
    role,
    content: joinTexts(role, sink.texts),
    ...(sink.toolCalls.length === 0 ? {} : { toolCalls: sink.toolCalls }),
    ...(toolCallId === undefined ? {} : { toolCallId }),
    ...(name === undefined ? {} : { name }),
    ...(sink.reasoning.length === 0 ? {} : { reasoning: sink.reasoning.join('\n') }),
    ...(sink.attachments.length === 0 ? {} : { attachments: sink.attachments }),
    ...(reason === undefined ? {} : { finishReason: reason }),
    ...(role === 'tool' && isErrorResult(record) ? { isError: true } : {}),
    ...(isMissing && !Object.hasOwn(record, 'content') ? { contentMissing: true } : {}),
  };
}

/**
 * Tells whether the calls have arguments: with content capture off, a message still names its calls, but not their
 * arguments.
 */
function hasArguments(record: JsonRecord): boolean {
  const calls = [record.tool_calls ?? record.toolCalls, record.function_call].flat().filter(isRecord);
  return calls.some((call) =>
    [call, call.function].some((part) => isRecord(part) && ARGUMENT_KEYS.some((key) => part[key] !== undefined)),
  );
}

const ARGUMENT_KEYS = ['arguments', 'args', 'input', 'parameters'];
