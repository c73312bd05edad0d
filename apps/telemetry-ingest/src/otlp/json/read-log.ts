import type { LogRecord } from '@clew/contracts';
import { RecordRefused } from '../../records/limits.ts';
import { GEN_AI_PREFIX, LEGACY_EVENT_NAME, REASON } from '../../records/refusal-reasons.ts';
import { textField, unixNanoField, type JsonObject } from './fields.ts';
import { spanIdField, traceIdField } from './identifiers.ts';
import { ValueReader, type JsonAttributes } from './read-values.ts';

/** Reads a log record of OTLP/JSON in its stored form; throws RecordRefused if it is not a GenAI event of a span. */
export function readLog(log: JsonObject): LogRecord {
  const values = new ValueReader();
  const attributes = values.attributes(log['attributes']);
  const eventName = eventNameOf(log, attributes);
  if (!eventName.startsWith(GEN_AI_PREFIX)) throw new RecordRefused(REASON.notGenAi);
  const traceId = traceIdField(log['traceId'], REASON.traceId);
  const spanId = spanIdField(log['spanId'], REASON.noSpan);
  const timeUnixNano = unixNanoField(log['timeUnixNano'], 'timeUnixNano');
  const observedTimeUnixNano = unixNanoField(log['observedTimeUnixNano'], 'observedTimeUnixNano');
  return {
    traceId,
    spanId,
    eventName,
    timeUnixNano: timeUnixNano === '0' ? observedTimeUnixNano : timeUnixNano,
    attributes,
    body: values.anyValue(log['body']),
  };
}

/** Name of the event; before log records had a field for it, it was an attribute. */
function eventNameOf(log: JsonObject, attributes: JsonAttributes): string {
  const eventName = textField(log['eventName'], 'eventName');
  if (eventName !== '') return eventName;
  const attribute = attributes[LEGACY_EVENT_NAME];
  return typeof attribute === 'string' ? attribute : '';
}
