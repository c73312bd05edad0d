import type { SpanRecord } from '@clew/contracts';
import { observationType } from './langfuse.ts';
import type { WorkKind } from './span-reading.ts';
import { vercelOperation } from './vercel.ts';

const GENAI_KINDS: Readonly<Record<string, WorkKind>> = {
  chat: 'model_call',
  generate_content: 'model_call',
  text_completion: 'model_call',
  completion: 'model_call',
  generate: 'model_call',
  embeddings: 'embedding',
  retrieval: 'retrieval',
  rerank: 'retrieval',
  execute_tool: 'tool_call',
  invoke_agent: 'agent',
  invoke_workflow: 'agent',
};
const OPENINFERENCE_KINDS: Readonly<Record<string, WorkKind>> = {
  LLM: 'model_call',
  TOOL: 'tool_call',
  AGENT: 'agent',
  EMBEDDING: 'embedding',
  RETRIEVER: 'retrieval',
  RERANKER: 'retrieval',
};
const LANGFUSE_KINDS: Readonly<Record<string, WorkKind>> = {
  generation: 'model_call',
  tool: 'tool_call',
  agent: 'agent',
  embedding: 'embedding',
  retriever: 'retrieval',
};
const TRACELOOP_KINDS: Readonly<Record<string, WorkKind>> = { tool: 'tool_call', agent: 'agent', workflow: 'agent' };
const REQUEST_KINDS: Readonly<Record<string, WorkKind>> = {
  chat: 'model_call',
  completion: 'model_call',
  embedding: 'embedding',
  rerank: 'retrieval',
};

/** Tells whether a span of this kind is a step of a chat; embeddings and lookups only support steps. */
export function isStep(kind: WorkKind): boolean {
  return kind === 'model_call' || kind === 'tool_call' || kind === 'agent';
}

/** Determines the kind of work of a span, and the operation's name in its dialect. */
export function workOf(span: SpanRecord, scopeName: string): { kind: WorkKind; operation?: string } {
  const { attributes } = span;
  const vercel =
    vercelOperation(attributes) ?? (scopeName === 'ai' && span.name.startsWith('ai.') ? span.name : undefined);
  const candidates: readonly (readonly [unknown, Readonly<Record<string, WorkKind>>])[] = [
    [attributes['gen_ai.operation.name'], GENAI_KINDS],
    [attributes['openinference.span.kind'], OPENINFERENCE_KINDS],
    [observationType(attributes), LANGFUSE_KINDS],
    [attributes['traceloop.span.kind'], TRACELOOP_KINDS],
    [attributes['llm.request.type'], REQUEST_KINDS],
  ];
  if (vercel !== undefined) return { kind: vercelKind(vercel), operation: vercel };
  for (const [operation, kinds] of candidates) {
    if (typeof operation !== 'string' || !Object.hasOwn(kinds, operation)) continue;
    return { kind: kinds[operation] ?? 'other', operation };
  }
  const named = candidates.map(([operation]) => operation).find((operation) => typeof operation === 'string');
  return {
    kind: named === undefined ? unnamedKind(span) : 'other',
    ...(typeof named === 'string' ? { operation: named.slice(0, 200) } : {}),
  };
}

/**
 * Kind of a Vercel span. The outer spans (`ai.generateText`) run a loop of model calls and tools, and repeat their
 * content: agents.
 */
function vercelKind(operation: string): WorkKind {
  if (operation === 'ai.toolCall') return 'tool_call';
  if (operation.startsWith('ai.embed')) return 'embedding';
  if (operation.startsWith('ai.rerank')) return 'retrieval';
  if (operation.endsWith('.doGenerate') || operation.endsWith('.doStream')) return 'model_call';
  return /^ai\.(generate|stream)(Text|Object)$/.test(operation) ? 'agent' : 'other';
}

const TOOL_SIGNS = ['gen_ai.tool.name', 'gen_ai.tool.call.id'];
const MODEL_SIGNS = [
  'gen_ai.request.model',
  'gen_ai.input.messages',
  'gen_ai.output.messages',
  'gen_ai.prompt.0.role',
  'gen_ai.prompt.0.content',
  'gen_ai.completion.0.role',
  'gen_ai.completion.0.content',
  'llm.model_name',
  'llm.input_messages.0.message.role',
];

/** Kind of a span that names no operation, by its other attributes and events. */
function unnamedKind(span: SpanRecord): WorkKind {
  const has = (key: string): boolean => Object.hasOwn(span.attributes, key);
  if (TOOL_SIGNS.some(has)) return 'tool_call';
  const isModelCall = MODEL_SIGNS.some(has) || span.events.some((event) => CONTENT_EVENT.test(event.name));
  return isModelCall ? 'model_call' : 'other';
}

const CONTENT_EVENT =
  /^gen_ai\.(choice|(system|user|assistant|tool)\.message|content\.(prompt|completion)|client\.inference)/;
