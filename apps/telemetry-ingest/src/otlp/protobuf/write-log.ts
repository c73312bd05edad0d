import { token, type JsonWriter, type Range } from '../../json/json-writer.ts';
import { RecordRefused } from '../../records/limits.ts';
import { GEN_AI_PREFIX, LEGACY_EVENT_NAME, REASON } from '../../records/refusal-reasons.ts';
import { textAttribute } from './key-value.ts';
import { NO_RANGE, type WireReader } from './wire-reader.ts';
import { isSpanId, isTraceId, isZeroAt, NOWHERE, writeUnixNano } from './write-fields.ts';
import { ValueWriter } from './write-values.ts';

// Field numbers of opentelemetry/proto/logs/v1/logs.proto.
const LOG = {
  time: 1,
  body: 5,
  attributes: 6,
  traceId: 9,
  spanId: 10,
  observedTime: 11,
  eventName: 12,
} as const;

const TRACE_ID = token('{"traceId":');
const SPAN_ID = token(',"spanId":');
const EVENT_NAME = token(',"eventName":');
const TIME = token(',"timeUnixNano":');
const ATTRIBUTES = token(',"attributes":');
const BODY = token(',"body":');
const END = token('}');

class LogFields {
  timeAt = NOWHERE;
  observedTimeAt = NOWHERE;
  traceId = NO_RANGE;
  spanId = NO_RANGE;
  eventName = NO_RANGE;
  body = NO_RANGE;
  readonly attributes: Range[] = [];
}

/**
 * Writes the LogRecord that the reader has entered as JSON; throws RecordRefused if it is not a GenAI event of a span.
 */
export function writeLog(reader: WireReader, out: JsonWriter): void {
  const log = readFields(reader);
  const { bytes } = reader;
  const eventName = eventNameOf(reader, log);
  if (!eventName.startsWith(GEN_AI_PREFIX)) throw new RecordRefused(REASON.notGenAi);
  if (!isTraceId(bytes, log.traceId)) throw new RecordRefused(REASON.traceId);
  if (!isSpanId(bytes, log.spanId)) throw new RecordRefused(REASON.noSpan);
  const values = new ValueWriter(reader, out);
  out.raw(TRACE_ID);
  out.hex(bytes, log.traceId);
  out.raw(SPAN_ID);
  out.hex(bytes, log.spanId);
  out.raw(EVENT_NAME);
  out.json(JSON.stringify(eventName));
  out.raw(TIME);
  writeUnixNano(out, bytes, isZeroAt(bytes, log.timeAt) ? log.observedTimeAt : log.timeAt);
  out.raw(ATTRIBUTES);
  values.attributes(log.attributes);
  out.raw(BODY);
  const outerEnd = reader.enterRange(log.body);
  values.anyValue();
  reader.leave(outerEnd);
  out.raw(END);
}

function readFields(reader: WireReader): LogFields {
  const log = new LogFields();
  while (reader.next()) {
    switch (reader.field) {
      case LOG.time:
        log.timeAt = reader.fixed64At();
        break;
      case LOG.body:
        log.body = reader.range();
        break;
      case LOG.attributes:
        log.attributes.push(reader.range());
        break;
      case LOG.traceId:
        log.traceId = reader.range();
        break;
      case LOG.spanId:
        log.spanId = reader.range();
        break;
      case LOG.observedTime:
        log.observedTimeAt = reader.fixed64At();
        break;
      case LOG.eventName:
        log.eventName = reader.range();
        break;
      default:
        reader.skip();
    }
  }
  return log;
}

/** Name of the event; before log records had a field for it, it was an attribute. */
function eventNameOf(reader: WireReader, { eventName, attributes }: LogFields): string {
  if (eventName.end > eventName.start) return reader.bytes.toString('utf8', eventName.start, eventName.end);
  return textAttribute(reader, attributes, LEGACY_EVENT_NAME);
}
