import type { LogRecord, SpanRecord, TelemetryGroup } from '@clew/contracts';
import { sha256Hex } from '@clew/kernel';
import { spanFacts, type StoredSpan } from '../dialects/index.ts';
import type { ConversationTrace, RawPayload, SpanRow } from './span.model.ts';

/** A log record as it is kept: joined to its span on reading. */
export interface StoredLog extends LogRecord {
  resource: Readonly<Record<string, unknown>>;
  scopeName: string;
}

/** What records of one group share, and what is not worth doing again for each. */
export interface RecordContext {
  projectId: string;
  scopeName: string;
  /** JSON text. */
  resource: string;
  receivedAt: Date;
}

/** A resource is kept with each of its spans; one that is larger than this is not kept. */
const MAX_RESOURCE_CHARACTERS = 32 * 1024;

export function recordContext(
  projectId: string,
  { resource, scopeName }: Pick<TelemetryGroup, 'resource' | 'scopeName'>,
  receivedAt: Date,
): RecordContext {
  const text = JSON.stringify(resource);
  return { projectId, scopeName, resource: text.length > MAX_RESOURCE_CHARACTERS ? '{}' : text, receivedAt };
}

export function spanKey(projectId: string, traceId: string, spanId: string): string {
  return `${projectId}:${traceId}:${spanId}`;
}

/** Every `_id` of a trace lies between these: `;` is the character after `:`. */
export function traceRange(projectId: string, traceId: string): { $gt: string; $lt: string } {
  return { $gt: `${projectId}:${traceId}:`, $lt: `${projectId}:${traceId};` };
}

export function spanDocuments(context: RecordContext, span: SpanRecord): { row: SpanRow; payload: RawPayload } {
  const { projectId, scopeName, resource, receivedAt } = context;
  const { attributes, events, ...fields } = span;
  const { kind: workKind, conversationId } = spanFacts(span, {}, scopeName);
  const _id = spanKey(projectId, span.traceId, span.spanId);
  // Half a surrogate pair cannot be stored as UTF-8, and what is stored must equal what is looked for.
  const named = conversationId === undefined ? {} : { conversationId: conversationId.toWellFormed() };
  const body = `{"attributes":${JSON.stringify(attributes)},"events":${JSON.stringify(events)},"resource":${resource}}`;
  return {
    row: { _id, projectId, ...fields, scopeName, ...named, workKind, contentLength: body.length, receivedAt },
    payload: { _id, projectId, kind: 'span', body, receivedAt },
  };
}

/** Sent twice, a log record is the same bytes, and so the same document. */
export function logDocument(context: RecordContext, log: LogRecord): RawPayload {
  const { projectId, scopeName, resource, receivedAt } = context;
  const record = JSON.stringify(log);
  const _id = `${spanKey(projectId, log.traceId, log.spanId)}:${sha256Hex(record).slice(0, 16)}`;
  const body = `${record.slice(0, -1)},"scopeName":${JSON.stringify(scopeName)},"resource":${resource}}`;
  return { _id, projectId, kind: 'log', body, receivedAt };
}

export function conversationTrace(
  projectId: string,
  { traceId, spanId, startTimeUnixNano }: Pick<SpanRow, 'traceId' | 'spanId' | 'startTimeUnixNano'>,
  conversationId: string,
): ConversationTrace {
  const digest = sha256Hex(conversationId).slice(0, 32);
  const firstNamed = `${startTimeUnixNano.padStart(20, '0')}:${spanId}`;
  return { _id: `${projectId}:${traceId}:${digest}`, projectId, traceId, conversationId, firstNamed };
}

export type SpanContent = Pick<StoredSpan, 'attributes' | 'events' | 'resource'>;

const NO_CONTENT: SpanContent = { attributes: {}, events: [], resource: {} };

/** A span with its content, which may have expired since. */
export function storedSpan(
  row: Omit<SpanRow, '_id' | 'projectId' | 'receivedAt'>,
  content: SpanContent = NO_CONTENT,
): StoredSpan {
  const { traceId, spanId, parentSpanId, name, kind, startTimeUnixNano, endTimeUnixNano } = row;
  const { statusCode, statusMessage, scopeName } = row;
  return {
    ...{ traceId, spanId, name, kind, startTimeUnixNano, endTimeUnixNano, statusCode, scopeName },
    ...(parentSpanId === undefined ? {} : { parentSpanId }),
    ...(statusMessage === undefined ? {} : { statusMessage }),
    ...content,
  };
}
