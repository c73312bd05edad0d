import { token, type JsonWriter, type Range } from '../../json/json-writer.ts';
import { RecordRefused } from '../../records/limits.ts';
import { REASON } from '../../records/refusal-reasons.ts';
import { NO_RANGE, type WireReader } from './wire-reader.ts';
import { isSpanId, isTraceId, isZero, isZeroAt, NOWHERE, writeName, writeUnixNano } from './write-fields.ts';
import { ValueWriter } from './write-values.ts';

// Field numbers of opentelemetry/proto/trace/v1/trace.proto.
const SPAN = {
  traceId: 1,
  spanId: 2,
  parentSpanId: 4,
  name: 5,
  kind: 6,
  startTime: 7,
  endTime: 8,
  attributes: 9,
  events: 11,
  status: 15,
} as const;
const EVENT = { time: 1, name: 2, attributes: 3 } as const;
const STATUS = { message: 2, code: 3 } as const;

const TRACE_ID = token('{"traceId":');
const SPAN_ID = token(',"spanId":');
const PARENT_SPAN_ID = token(',"parentSpanId":');
const NAME = token(',"name":');
const KIND = token(',"kind":');
const START_TIME = token(',"startTimeUnixNano":');
const END_TIME = token(',"endTimeUnixNano":');
const STATUS_CODE = token(',"statusCode":');
const STATUS_MESSAGE = token(',"statusMessage":');
const ATTRIBUTES = token(',"attributes":');
const EVENTS = token(',"events":[');
const EVENT_NAME = token('{"name":');
const EVENT_TIME = token(',"timeUnixNano":');
const EVENT_END = token('}');
const SPAN_END = token(']}');
const COMMA = token(',');

/**
 * Fields of a span, most of them as positions in the buffer. Encoders may write fields in any order, so a span is
 * written only after all of its fields have been found and checked.
 */
class SpanFields {
  traceId = NO_RANGE;
  spanId = NO_RANGE;
  parentSpanId = NO_RANGE;
  name = NO_RANGE;
  kind = 0;
  startTimeAt = NOWHERE;
  endTimeAt = NOWHERE;
  statusCode = 0;
  statusMessage = NO_RANGE;
  readonly attributes: Range[] = [];
  readonly events: Range[] = [];
}

/** Writes the Span that the reader has entered as the JSON of a SpanRecord; throws RecordRefused if it is not valid. */
export function writeSpan(reader: WireReader, out: JsonWriter): void {
  const span = readFields(reader);
  const { bytes } = reader;
  requireValid(bytes, span);
  out.raw(TRACE_ID);
  out.hex(bytes, span.traceId);
  out.raw(SPAN_ID);
  out.hex(bytes, span.spanId);
  if (!isZero(bytes, span.parentSpanId)) {
    out.raw(PARENT_SPAN_ID);
    out.hex(bytes, span.parentSpanId);
  }
  out.raw(NAME);
  writeName(out, bytes, span.name);
  out.raw(KIND);
  out.integer(span.kind);
  out.raw(START_TIME);
  writeUnixNano(out, bytes, span.startTimeAt);
  out.raw(END_TIME);
  // Some exporters omit the end of spans without duration.
  writeUnixNano(out, bytes, isZeroAt(bytes, span.endTimeAt) ? span.startTimeAt : span.endTimeAt);
  out.raw(STATUS_CODE);
  out.integer(span.statusCode);
  if (span.statusMessage.end > span.statusMessage.start) {
    out.raw(STATUS_MESSAGE);
    out.string(bytes, span.statusMessage);
  }
  writeContent(reader, out, span);
}

function readFields(reader: WireReader): SpanFields {
  const span = new SpanFields();
  while (reader.next()) {
    switch (reader.field) {
      case SPAN.traceId:
        span.traceId = reader.range();
        break;
      case SPAN.spanId:
        span.spanId = reader.range();
        break;
      case SPAN.parentSpanId:
        span.parentSpanId = reader.range();
        break;
      case SPAN.name:
        span.name = reader.range();
        break;
      case SPAN.kind:
        span.kind = reader.int32();
        break;
      case SPAN.startTime:
        span.startTimeAt = reader.fixed64At();
        break;
      case SPAN.endTime:
        span.endTimeAt = reader.fixed64At();
        break;
      case SPAN.attributes:
        span.attributes.push(reader.range());
        break;
      case SPAN.events:
        span.events.push(reader.range());
        break;
      case SPAN.status:
        readStatus(reader, span);
        break;
      default:
        reader.skip();
    }
  }
  return span;
}

function readStatus(reader: WireReader, span: SpanFields): void {
  const outerEnd = reader.enter();
  while (reader.next()) {
    if (reader.field === STATUS.message) span.statusMessage = reader.range();
    else if (reader.field === STATUS.code) span.statusCode = reader.int32();
    else reader.skip();
  }
  reader.leave(outerEnd);
}

function requireValid(bytes: Buffer, span: SpanFields): void {
  if (!isTraceId(bytes, span.traceId)) throw new RecordRefused(REASON.traceId);
  if (!isSpanId(bytes, span.spanId)) throw new RecordRefused(REASON.spanId);
  if (!isZero(bytes, span.parentSpanId) && !isSpanId(bytes, span.parentSpanId)) {
    throw new RecordRefused(REASON.parentSpanId);
  }
  if (isZeroAt(bytes, span.startTimeAt)) throw new RecordRefused(REASON.startTime);
}

function writeContent(reader: WireReader, out: JsonWriter, span: SpanFields): void {
  const values = new ValueWriter(reader, out);
  out.raw(ATTRIBUTES);
  values.attributes(span.attributes);
  out.raw(EVENTS);
  let needsComma = false;
  for (const event of span.events) {
    if (needsComma) out.raw(COMMA);
    needsComma = true;
    writeEvent(reader, out, values, event);
  }
  out.raw(SPAN_END);
}

function writeEvent(reader: WireReader, out: JsonWriter, values: ValueWriter, event: Range): void {
  let name = NO_RANGE;
  let timeAt = NOWHERE;
  const attributes: Range[] = [];
  const outerEnd = reader.enterRange(event);
  while (reader.next()) {
    if (reader.field === EVENT.time) timeAt = reader.fixed64At();
    else if (reader.field === EVENT.name) name = reader.range();
    else if (reader.field === EVENT.attributes) attributes.push(reader.range());
    else reader.skip();
  }
  reader.leave(outerEnd);
  out.raw(EVENT_NAME);
  writeName(out, reader.bytes, name);
  out.raw(EVENT_TIME);
  writeUnixNano(out, reader.bytes, timeAt);
  out.raw(ATTRIBUTES);
  values.attributes(attributes);
  out.raw(EVENT_END);
}
