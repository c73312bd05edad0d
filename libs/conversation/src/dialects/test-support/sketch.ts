import type { LogRecord } from '@clew/contracts';
import { readSpan } from '../read-span.ts';
import type { SpanReading, StoredSpan } from '../span-reading.ts';

/** Builds a stored span of which only the given fields matter. */
export function sketch(attributes: Record<string, unknown>, fields: Partial<StoredSpan> = {}): StoredSpan {
  return {
    traceId: '1'.padStart(32, '0'),
    spanId: '1'.padStart(16, '0'),
    parentSpanId: '2'.padStart(16, '0'),
    name: 'span',
    kind: 1,
    startTimeUnixNano: '1700000000000000000',
    endTimeUnixNano: '1700000001000000000',
    statusCode: 0,
    attributes,
    events: [],
    resource: {},
    scopeName: '',
    ...fields,
  };
}

/** Builds a log record of that span, this many nanoseconds after its start. */
export function log(
  eventName: string,
  afterNs: number,
  body: unknown,
  attributes: Record<string, unknown> = {},
): LogRecord {
  const { traceId, spanId } = sketch({});
  return {
    traceId,
    spanId,
    eventName,
    timeUnixNano: `${1_700_000_000_000_000_000n + BigInt(afterNs)}`,
    attributes,
    body,
  };
}

export function reading(attributes: Record<string, unknown>, fields: Partial<StoredSpan> = {}): SpanReading {
  return readSpan(sketch(attributes, fields));
}
