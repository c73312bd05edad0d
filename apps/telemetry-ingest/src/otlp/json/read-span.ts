import type { SpanRecord } from '@clew/contracts';
import { RecordRefused } from '../limits.ts';
import { REASON } from '../refusal-reasons.ts';
import {
  integerField,
  listField,
  nameField,
  objectField,
  textField,
  unixNanoField,
  type JsonObject,
} from './fields.ts';
import { isSpanId, isTraceId, isZeroId } from './identifiers.ts';
import { ValueReader } from './read-values.ts';

/** A span of OTLP/JSON as it is stored; throws RecordRefused with the reason for one that may not be. */
export function readSpan(span: JsonObject): SpanRecord {
  const traceId = textField(span['traceId'], 'traceId').toLowerCase();
  if (!isTraceId(traceId)) throw new RecordRefused(REASON.traceId);
  const spanId = textField(span['spanId'], 'spanId').toLowerCase();
  if (!isSpanId(spanId)) throw new RecordRefused(REASON.spanId);
  const parentSpanId = textField(span['parentSpanId'], 'parentSpanId').toLowerCase();
  if (!isZeroId(parentSpanId) && !isSpanId(parentSpanId)) throw new RecordRefused(REASON.parentSpanId);
  const startTimeUnixNano = unixNanoField(span['startTimeUnixNano'], 'startTimeUnixNano');
  if (startTimeUnixNano === '0') throw new RecordRefused(REASON.startTime);
  const endTimeUnixNano = unixNanoField(span['endTimeUnixNano'], 'endTimeUnixNano');
  const status = objectField(span['status'], 'status');
  const statusMessage = textField(status['message'], 'status.message');
  const values = new ValueReader();
  return {
    traceId,
    spanId,
    ...(isZeroId(parentSpanId) ? {} : { parentSpanId }),
    name: nameField(span['name'], 'name'),
    kind: integerField(span['kind'], 'kind'),
    startTimeUnixNano,
    // Some exporters leave the end out of spans of no length.
    endTimeUnixNano: endTimeUnixNano === '0' ? startTimeUnixNano : endTimeUnixNano,
    statusCode: integerField(status['code'], 'status.code'),
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
