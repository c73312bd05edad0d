import type { LogRecord, SpanRecord } from '@clew/contracts';
import { RecordRefusedError } from './limits.ts';

/** A span or log record before it is checked: what a decoder could read. */
export type SpanDraft = Omit<SpanRecord, 'parentSpanId' | 'statusMessage'> & {
  parentSpanId: string;
  statusMessage: string;
};
export type LogDraft = LogRecord;

const TRACE_ID = /^[0-9a-f]{32}$/;
const SPAN_ID = /^[0-9a-f]{16}$/;
const NO_TRACE = '0'.repeat(32);
const NO_SPAN = '0'.repeat(16);
const UNIX_NANO = /^\d{1,20}$/;
const MAX_NAME_LENGTH = 1_024;

/** A span that may be stored; throws RecordRefusedError with the reason for one that may not. */
export function acceptSpan(draft: SpanDraft): SpanRecord {
  const { parentSpanId, statusMessage, ...span } = draft;
  requireTraceId(span.traceId);
  if (!SPAN_ID.test(span.spanId) || span.spanId === NO_SPAN) throw new RecordRefusedError('spanId is not valid');
  if (parentSpanId !== '' && !SPAN_ID.test(parentSpanId)) throw new RecordRefusedError('parentSpanId is not valid');
  if (!UNIX_NANO.test(span.startTimeUnixNano) || span.startTimeUnixNano === '0') {
    throw new RecordRefusedError('startTimeUnixNano is missing');
  }
  if (!UNIX_NANO.test(span.endTimeUnixNano)) throw new RecordRefusedError('endTimeUnixNano is not valid');
  // Some exporters leave the end out of spans of no length.
  if (span.endTimeUnixNano === '0') span.endTimeUnixNano = span.startTimeUnixNano;
  if (span.name.length > MAX_NAME_LENGTH) span.name = span.name.slice(0, MAX_NAME_LENGTH);
  return {
    ...span,
    ...(parentSpanId === '' || parentSpanId === NO_SPAN ? {} : { parentSpanId }),
    ...(statusMessage === '' ? {} : { statusMessage }),
  };
}

/** A GenAI event that belongs to a span; other log records are not what this endpoint is for. */
export function acceptLog(draft: LogDraft): LogRecord {
  const eventName = eventNameOf(draft);
  if (!eventName.startsWith('gen_ai.')) throw new RecordRefusedError('only GenAI events are stored');
  requireTraceId(draft.traceId);
  if (!SPAN_ID.test(draft.spanId) || draft.spanId === NO_SPAN) {
    throw new RecordRefusedError('the event names no span');
  }
  if (!UNIX_NANO.test(draft.timeUnixNano)) throw new RecordRefusedError('timeUnixNano is not valid');
  return { ...draft, eventName };
}

/** Before log records had an event name of their own, it was an attribute. */
function eventNameOf({ eventName, attributes }: LogDraft): string {
  if (eventName !== '') return eventName;
  const attribute = attributes['event.name'];
  return typeof attribute === 'string' ? attribute : '';
}

function requireTraceId(traceId: string): void {
  if (!TRACE_ID.test(traceId) || traceId === NO_TRACE) throw new RecordRefusedError('traceId is not valid');
}
