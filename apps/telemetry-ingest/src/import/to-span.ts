import type { SpanRecord } from '@clew/contracts';
import { createHmac } from 'node:crypto';
import { canonicalJson, sha256Hex } from '@clew/kernel';
import { token } from '../json/json-writer.ts';
import { RecordRefused } from '../records/limits.ts';
import type { RecordGroup } from '../publish/record-group.ts';
import type { ImportedConversation, ImportedMessage } from './imported-conversation.ts';

/** Resource and scope of imported spans, as if an instrumentation of ours had made them. */
export const IMPORT_GROUP: RecordGroup = { resource: token('{}'), scopeName: token('"clew.import"') };

const CLIENT_KIND = 3;
const TRACE_ID_DIGITS = 32;
const SPAN_ID_DIGITS = 16;

/** Project of an import. */
export interface ImportTarget {
  projectId: string;
  /** Secret of a project that masks: the hash of a text that holds a card number would tell the number. */
  salt: string | undefined;
}

/**
 * Turns an imported conversation into one OpenTelemetry GenAI span, so that it takes the same way as all others. Its
 * ids are derived from its content: importing the same line again changes nothing.
 */
export function toSpan(target: ImportTarget, conversation: ImportedConversation, nowMs: number): SpanRecord {
  const { projectId, salt } = target;
  const content = canonicalHash([projectId, conversation.id ?? null, conversation.messages], salt);
  const conversationId = conversation.id ?? `import-${content.slice(0, TRACE_ID_DIGITS)}`;
  const { agent, model, userId, startedAt } = conversation.metadata ?? {};
  const atUnixNano = unixNanoOf(startedAt ?? nowMs);
  return {
    traceId: canonicalHash([projectId, conversationId], salt).slice(0, TRACE_ID_DIGITS),
    spanId: content.slice(0, SPAN_ID_DIGITS),
    name: 'chat',
    kind: CLIENT_KIND,
    startTimeUnixNano: atUnixNano,
    endTimeUnixNano: atUnixNano,
    statusCode: 0,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.conversation.id': conversationId,
      'gen_ai.input.messages': conversation.messages.map(toGenAiMessage),
      ...(agent === undefined ? {} : { 'gen_ai.agent.name': agent }),
      ...(model === undefined ? {} : { 'gen_ai.request.model': model }),
      ...(userId === undefined ? {} : { 'user.id': userId }),
    },
    events: [],
  };
}

/** Hashes the canonical form of a value; a lone surrogate or a number beyond the range of a double has none. */
function canonicalHash(value: unknown, salt: string | undefined): string {
  try {
    const text = canonicalJson(value);
    return salt === undefined ? sha256Hex(text) : createHmac('sha256', salt).update(text).digest('hex');
  } catch {
    throw new RecordRefused('holds a number that is out of range, or half of a surrogate pair');
  }
}

function unixNanoOf(epochMs: number): string {
  return epochMs === 0 ? '0' : `${epochMs}000000`;
}

function toGenAiMessage(message: ImportedMessage) {
  const role = message.role === 'developer' ? 'system' : message.role === 'function' ? 'tool' : message.role;
  const parts = role === 'tool' ? [toolResponse(message)] : [...contentParts(message), ...toolCallParts(message)];
  return { role, parts, ...(message.name == null ? {} : { name: message.name }) };
}

function toolResponse(message: ImportedMessage) {
  const response = typeof message.content === 'string' ? message.content : textOf(message);
  return {
    type: 'tool_call_response',
    ...(message.tool_call_id == null ? {} : { id: message.tool_call_id }),
    response,
  };
}

function contentParts(message: ImportedMessage) {
  if (message.content == null || message.content === '') return [];
  if (typeof message.content === 'string') return [{ type: 'text', content: message.content }];
  return message.content.map((part) => (part.text === undefined ? part : { type: 'text', content: part.text }));
}

function toolCallParts(message: ImportedMessage) {
  return (message.tool_calls ?? []).map(({ id, function: { name, arguments: args } }) => ({
    type: 'tool_call',
    ...(id === undefined ? {} : { id }),
    name,
    arguments: args,
  }));
}

function textOf({ content }: ImportedMessage): string {
  return Array.isArray(content) ? content.map((part) => part.text ?? '').join('') : '';
}
