import type { LogRecord, SpanRecord, TelemetryGroup } from '@clew/contracts';
import { sha256Hex } from '@clew/kernel';
import { spanFacts, type StoredSpan } from '../dialects/index.ts';
import type { ConversationTrace, RawPayload, SpanRow } from './span.model.ts';

/** A log record as it is kept: joined to its span on reading. */
export interface StoredLog extends LogRecord {
  resource: Readonly<Record<string, unknown>>;
  scopeName: string;
}

export interface SpanDocuments {
  row: SpanRow;
  payload: RawPayload;
}

export function spanKey(projectId: string, traceId: string, spanId: string): string {
  return `${projectId}:${traceId}:${spanId}`;
}

/** Every `_id` of a trace lies between these: `;` is the character after `:`. */
export function traceRange(projectId: string, traceId: string): { $gt: string; $lt: string } {
  return { $gt: `${projectId}:${traceId}:`, $lt: `${projectId}:${traceId};` };
}

export function spanDocuments(
  projectId: string,
  { resource, scopeName }: Pick<TelemetryGroup, 'resource' | 'scopeName'>,
  span: SpanRecord,
  receivedAt: Date,
): SpanDocuments {
  const { attributes, events, ...fields } = span;
  const { kind: workKind, conversationId } = spanFacts(span, resource, scopeName);
  const _id = spanKey(projectId, span.traceId, span.spanId);
  const explicit = conversationId === undefined ? {} : { conversationId };
  return {
    row: { _id, projectId, ...fields, scopeName, ...explicit, workKind, receivedAt },
    payload: { _id, projectId, kind: 'span', body: JSON.stringify({ attributes, events, resource }), receivedAt },
  };
}

/** Sent twice, a log record is the same bytes, and so the same document. */
export function logDocument(
  projectId: string,
  { resource, scopeName }: Pick<TelemetryGroup, 'resource' | 'scopeName'>,
  log: LogRecord,
  receivedAt: Date,
): RawPayload {
  const body = JSON.stringify({ ...log, resource, scopeName } satisfies StoredLog);
  const digest = sha256Hex(JSON.stringify(log)).slice(0, 16);
  return { _id: `${spanKey(projectId, log.traceId, log.spanId)}:${digest}`, projectId, kind: 'log', body, receivedAt };
}

export function conversationTrace(projectId: string, traceId: string, conversationId: string): ConversationTrace {
  const digest = sha256Hex(conversationId).slice(0, 32);
  return { _id: `${projectId}:${traceId}:${digest}`, projectId, traceId, conversationId };
}

/** A span with its content, which may have expired since. */
export function storedSpan(row: SpanRow, payload: RawPayload | undefined): StoredSpan {
  const content =
    payload === undefined
      ? { attributes: {}, events: [], resource: {} }
      : (JSON.parse(payload.body) as Pick<StoredSpan, 'attributes' | 'events' | 'resource'>);
  const { traceId, spanId, parentSpanId, name, kind, startTimeUnixNano, endTimeUnixNano } = row;
  const { statusCode, statusMessage, scopeName } = row;
  return {
    ...{ traceId, spanId, name, kind, startTimeUnixNano, endTimeUnixNano, statusCode, scopeName },
    ...(parentSpanId === undefined ? {} : { parentSpanId }),
    ...(statusMessage === undefined ? {} : { statusMessage }),
    ...content,
  };
}
