import type { ToolDefinition } from '@clew/contracts';

export interface ScriptedToolCall {
  id: string;
  name: string;
  /** JSON value, or the raw text of a model if it is not JSON. */
  arguments: unknown;
}

export interface ScriptedMessage {
  role: 'system' | 'user' | 'assistant' | 'tool';
  content: string;
  toolCalls?: readonly ScriptedToolCall[];
  /** On role tool: the call that it answers; by default, the first open call of the nearest message with one. */
  toolCallId?: string;
  name?: string;
  /** On role tool: the tool failed, and the content is the error message. */
  isError?: boolean;
  finishReason?: string;
  /** Time since the message before; each role has a default. */
  afterMs?: number;
}

/** Conversation as it took place; the encoders convert it to the dialects of instrumentations. */
export interface ScriptedConversation {
  conversationId: string;
  agent?: string;
  model: string;
  userId?: string;
  tools?: readonly ToolDefinition[];
  messages: readonly ScriptedMessage[];
}

export const DIALECTS = ['genai', 'openinference', 'traceloop', 'langfuse', 'vercel'] as const;
export type Dialect = (typeof DIALECTS)[number];

/**
 * Places where GenAI spans keep their content: attributes of the span, one event per message on the span
 * (`span-events`) or as log records (`logs`), or one log record with everything (`details`). The other dialects only
 * have attributes.
 */
export const CONTENT_MODES = ['attributes', 'span-events', 'logs', 'details'] as const;
export type ContentMode = (typeof CONTENT_MODES)[number];

export interface EncodeOptions {
  dialect: Dialect;
  /** Time of the first message. */
  startMs: number;
  /** Whether each call sends all earlier messages, or only new ones. Default `full`. */
  history?: 'full' | 'incremental';
  /** Default `attributes`. */
  content?: ContentMode;
  /** Whether tools have spans of their own. Default true. */
  toolSpans?: boolean;
  /** Default `one-per-turn`; a turn begins when a user speaks after the model. */
  traces?: 'one-per-turn' | 'single';
  /** The same seed gives the same trace and span ids. */
  idSeed: string;
}

export type AttributeValue = string | number | boolean | string[];
export type EncodedAttributes = Record<string, AttributeValue>;

export interface EncodedEvent {
  name: string;
  timeMs: number;
  attributes: EncodedAttributes;
}

export interface EncodedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  /** OTLP SpanKind: 1 internal, 3 client. */
  kind: number;
  startTimeMs: number;
  endTimeMs: number;
  attributes: EncodedAttributes;
  events: EncodedEvent[];
  /** OTLP status: 0 unset, 1 ok, 2 error. */
  status: { code: number; message?: string };
  scopeName: string;
}

export interface EncodedLog {
  traceId: string;
  spanId: string;
  eventName: string;
  timeUnixNano: string;
  /** Attributes of log records may nest, unlike those of spans. */
  attributes: Record<string, unknown>;
  body: unknown;
  scopeName: string;
}

export interface EncodedConversation {
  spans: EncodedSpan[];
  logs: EncodedLog[];
}
