import { Schema, type Connection, type Model } from 'mongoose';
import { modelOf } from '@clew/persistence';

/** A span without its content: what lists, timing and retention need. */
export interface SpanRow {
  /** `<project>:<trace>:<span>`: idempotent, and a trace is one range of it. */
  _id: string;
  projectId: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string | undefined;
  name: string;
  kind: number;
  /** Nanoseconds since the Unix epoch, as decimal text. */
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  statusCode: number;
  statusMessage?: string | undefined;
  scopeName: string;
  /** The conversation that the span itself names. */
  conversationId?: string;
  workKind: string;
  /** Characters of its content's JSON. */
  contentLength: number;
  receivedAt: Date;
}

/**
 * The content of a span, or a log record that belongs to it: prompt, response and the rest of the raw OTLP. Kept apart
 * from the row so that each can expire alone, and as text, since attribute keys and nesting are the caller's.
 */
export interface RawPayload {
  /** `<project>:<trace>:<span>`, with `:<digest>` behind it for a log record. */
  _id: string;
  projectId: string;
  kind: 'span' | 'log';
  /** JSON: `{attributes, events, resource}` of a span, or a whole log record. */
  body: string;
  receivedAt: Date;
}

/** That a span of a trace names a conversation. */
export interface ConversationTrace {
  /** `<project>:<trace>:<digest of the conversation>` */
  _id: string;
  projectId: string;
  traceId: string;
  conversationId: string;
  /** `<start>:<span>` of the first span that does, by time: sorts as spans do. */
  firstNamed: string;
}

const text = { type: String, required: true } as const;

const spanSchema = new Schema<SpanRow>(
  {
    _id: text,
    projectId: text,
    traceId: text,
    spanId: text,
    parentSpanId: String,
    name: { type: String, default: '' },
    kind: { type: Number, required: true },
    startTimeUnixNano: text,
    endTimeUnixNano: text,
    statusCode: { type: Number, required: true },
    statusMessage: String,
    scopeName: { type: String, default: '' },
    conversationId: String,
    workKind: text,
    contentLength: { type: Number, required: true },
    receivedAt: { type: Date, required: true },
  },
  { collection: 'spans', versionKey: false },
);

const payloadSchema = new Schema<RawPayload>(
  { _id: text, projectId: text, kind: text, body: text, receivedAt: { type: Date, required: true } },
  { collection: 'raw_payloads', versionKey: false },
);

const conversationTraceSchema = new Schema<ConversationTrace>(
  { _id: text, projectId: text, traceId: text, conversationId: text, firstNamed: text },
  { collection: 'conversation_traces', versionKey: false },
);
conversationTraceSchema.index({ projectId: 1, conversationId: 1, firstNamed: 1, traceId: 1 });
conversationTraceSchema.index({ projectId: 1, traceId: 1, firstNamed: 1, conversationId: 1 });

export function spanModel(connection: Connection): Model<SpanRow> {
  return modelOf(connection, 'Span', spanSchema);
}

export function rawPayloadModel(connection: Connection): Model<RawPayload> {
  return modelOf(connection, 'RawPayload', payloadSchema);
}

export function conversationTraceModel(connection: Connection): Model<ConversationTrace> {
  return modelOf(connection, 'ConversationTrace', conversationTraceSchema);
}
