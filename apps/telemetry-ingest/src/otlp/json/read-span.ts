import type { SpanRecord } from '@clew/contracts';
import { RecordRefused } from '../../records/limits.ts';
import { REASON } from '../../records/refusal-reasons.ts';
import { enumField, listField, nameField, objectField, textField, unixNanoField, type JsonObject } from './fields.ts';
import { optionalSpanIdField, spanIdField, traceIdField } from './identifiers.ts';
import { ValueReader } from './read-values.ts';

// Names from opentelemetry/proto/trace/v1/trace.proto; the index of each is its number.
const SPAN_KINDS = ['UNSPECIFIED', 'INTERNAL', 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER'].map(
  (kind) => `SPAN_KIND_${kind}`,
);
const STATUS_CODES = ['UNSET', 'OK', 'ERROR'].map((code) => `STATUS_CODE_${code}`);

/** Reads a span of OTLP/JSON in its stored form; throws RecordRefused with the reason if it is not valid. */
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
    // Some exporters omit the end of spans without duration.
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
