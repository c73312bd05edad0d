import type { SpanRecord } from '@clew/contracts';
import { RecordRefused } from '../../records/limits.ts';
import { REASON } from '../../records/refusal-reasons.ts';
import { enumField, listField, nameField, objectField, textField, unixNanoField, type JsonObject } from './fields.ts';
import { optionalSpanIdField, spanIdField, traceIdField } from './identifiers.ts';
import { ValueReader } from './read-values.ts';

// opentelemetry/proto/trace/v1/trace.proto; the numbers are the positions.
const SPAN_KINDS = ['UNSPECIFIED', 'INTERNAL', 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER'].map(
  (kind) => `SPAN_KIND_${kind}`,
);
const STATUS_CODES = ['UNSET', 'OK', 'ERROR'].map((code) => `STATUS_CODE_${code}`);

/** A span of OTLP/JSON as it is stored; throws RecordRefused with the reason for one that may not be. */
export function readSpan(span: JsonObject): SpanRecord {
  const traceId = traceIdField(span['traceId'], REASON.traceId);
  const spanId = spanIdField(span['spanId'], REASON.spanId);
  const parentSpanId = optionalSpanIdField(span['parentSpanId'], REASON.parentSpanId);
  const startTimeUnixNano = unixNanoField(span['startTimeUnixNano'], 'startTimeUnixNano');
  if (startTimeUnixNano === '0') throw new RecordRefused(REASON.startTime);
  const endTimeUnixNano = unixNanoField(span['endTimeUnixNano'], 'endTimeUnixNano');
  const status = objectField(span['status'], 'status');
  const statusMessage = textField(status['message'], 'status.message');
  const values = new ValueReader();
  return {
    traceId,
    spanId,
    ...(parentSpanId === undefined ? {} : { parentSpanId }),
    name: nameField(span['name'], 'name'),
    kind: enumField(span['kind'], 'kind', SPAN_KINDS),
    startTimeUnixNano,
    // Some exporters leave the end out of spans of no length.
    endTimeUnixNano: endTimeUnixNano === '0' ? startTimeUnixNano : endTimeUnixNano,
    statusCode: enumField(status['code'], 'status.code', STATUS_CODES),
    ...(statusMessage === '' ? {} : { statusMessage }),
    attributes: values.attributes(span['attributes']),
    events: listField(span['events'], 'events').map((event) => readEvent(objectField(event, 'events'), values)),
  };
}

function readEvent(event: JsonObject, values: ValueReader): SpanRecord['events'][number] {
  return {
    name: nameField(event['name'], 'events.name'),
    timeUnixNano: unixNanoField(event['timeUnixNano'], 'events.timeUnixNano'),
    attributes: values.attributes(event['attributes']),
  };
}
