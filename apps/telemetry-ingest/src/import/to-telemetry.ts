import type { SpanRecord, TelemetryGroup } from '@clew/contracts';
import { canonicalJson, sha256Hex } from '@clew/kernel';
import type { ImportedConversation, ImportedMessage } from './imported-conversation.ts';

const SCOPE_NAME = 'clew.import';
const CLIENT_KIND = 3;

/**
 * An imported conversation as one OpenTelemetry GenAI span, so that it goes the way of all others. Its ids come from its
 * content: importing the same line again changes nothing.
 */
export function toTelemetry(projectId: string, conversation: ImportedConversation, nowMs: number): TelemetryGroup {
  const content = sha256Hex(canonicalJson([projectId, conversation.id ?? null, conversation.messages]));
  const conversationId = conversation.id ?? `import-${content.slice(0, 32)}`;
  const traceId = sha256Hex(canonicalJson([projectId, conversationId])).slice(0, 32);
  const { agent, model, userId, startedAt } = conversation.metadata ?? {};
  const atUnixNano = `${startedAt ?? nowMs}000000`;
  const span: SpanRecord = {
    traceId,
    spanId: content.slice(0, 16),
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
  return { resource: {}, scopeName: SCOPE_NAME, spans: [span], logs: [] };
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
