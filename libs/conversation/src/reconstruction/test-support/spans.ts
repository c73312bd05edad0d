import type { ConversationMessage, SpanEvent } from '@clew/contracts';
import type { StoredSpan } from '../../dialects/index.ts';
import { assembleConversation, type AssembledConversation } from '../assemble-conversation.ts';

export interface SpanSketch {
  /** One or two hex digits that name the span within its trace. */
  id: string;
  trace?: string;
  parent?: string;
  /** Start and end, in seconds after the beginning. */
  at: readonly [startS: number, endS: number];
  name?: string;
  attributes?: Record<string, unknown>;
  events?: SpanEvent[];
  status?: { code: number; message?: string };
  scopeName?: string;
}

export const BEGINNING_MS = 1_700_000_000_000;

export function traceIdOf(trace = '1'): string {
  return trace.padStart(32, '0');
}

export function spanIdOf(id: string): string {
  return id.padStart(16, '0');
}

export function unixNano(seconds: number): string {
  return String(BigInt(BEGINNING_MS + Math.round(seconds * 1_000)) * 1_000_000n);
}

/** Builds a stored span from a sketch of it. */
export function span({
  id,
  trace,
  parent,
  at,
  name = 'span',
  attributes = {},
  events = [],
  status,
  scopeName = '',
}: SpanSketch): StoredSpan {
  return {
    traceId: traceIdOf(trace),
    spanId: spanIdOf(id),
    ...(parent === undefined ? {} : { parentSpanId: spanIdOf(parent) }),
    name,
    kind: 1,
    startTimeUnixNano: unixNano(at[0]),
    endTimeUnixNano: unixNano(at[1]),
    statusCode: status?.code ?? 0,
    ...(status?.message === undefined ? {} : { statusMessage: status.message }),
    attributes,
    events,
    resource: {},
    scopeName,
  };
}

type Part = Record<string, unknown>;
export interface GenAiMessage {
  role: string;
  parts: Part[];
  finish_reason?: string;
}

const text =
  (role: string) =>
  (content: string): GenAiMessage => ({ role, parts: [{ type: 'text', content }] });
export const system = text('system');
export const user = text('user');
export const assistant = text('assistant');

export function calling(...calls: readonly (readonly [id: string, name: string, given?: unknown])[]): GenAiMessage {
  return {
    role: 'assistant',
    parts: calls.map(([id, name, given = {}]) => ({ type: 'tool_call', id, name, arguments: given })),
  };
}

export function result(id: string, response: unknown): GenAiMessage {
  return { role: 'tool', parts: [{ type: 'tool_call_response', id, response }] };
}

export interface CallSketch extends SpanSketch {
  instructions?: string;
  input?: readonly GenAiMessage[];
  output?: readonly GenAiMessage[];
  agent?: string;
}

/** Builds a model call with GenAI attributes. */
export function call({ instructions, input, output, agent, attributes, ...sketch }: CallSketch): StoredSpan {
  return span({
    name: 'chat gpt-4o',
    ...sketch,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': 'gpt-4o',
      ...(agent === undefined ? {} : { 'gen_ai.agent.name': agent }),
      ...(instructions === undefined
        ? {}
        : { 'gen_ai.system_instructions': [{ type: 'text', content: instructions }] }),
      ...(input === undefined ? {} : { 'gen_ai.input.messages': input }),
      ...(output === undefined ? {} : { 'gen_ai.output.messages': output }),
      ...attributes,
    },
  });
}

/** Builds a tool's run with GenAI attributes. */
export function toolRun({
  tool,
  callId,
  given,
  response,
  ...sketch
}: SpanSketch & { tool: string; callId?: string; given?: unknown; response?: unknown }): StoredSpan {
  return span({
    name: `execute_tool ${tool}`,
    ...sketch,
    attributes: {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': tool,
      ...(callId === undefined ? {} : { 'gen_ai.tool.call.id': callId }),
      ...(given === undefined ? {} : { 'gen_ai.tool.call.arguments': given }),
      ...(response === undefined ? {} : { 'gen_ai.tool.call.result': response }),
      ...sketch.attributes,
    },
  });
}

export function assembled(...spans: readonly StoredSpan[]): AssembledConversation {
  return assembleConversation({ spans, logs: [] });
}

/** Lists the messages in one line each: `user: Hello`, `assistant: -> search`. */
export function told({ messages }: { messages: readonly ConversationMessage[] }): string[] {
  return messages.map(({ role, content, toolCalls, error }) => {
    const calls = toolCalls?.map(({ name }) => `-> ${name}`) ?? [];
    const words = [content, ...calls].filter((part) => part !== '').join(' ');
    return `${role}: ${words}${error === undefined ? '' : ` [${error.type}]`}`;
  });
}
