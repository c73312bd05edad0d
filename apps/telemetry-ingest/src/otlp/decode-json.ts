import { AppError } from '@clew/kernel';
import { jsonNumber, requireDepth, setAttribute, type JsonAttributes, type JsonValue } from './any-value.ts';
import { addLog, addSpan, emptyExport, emptyGroup, type DecodedExport, type DecodedGroup } from './decoded.ts';
import { RecordRefusedError } from './limits.ts';
import type { LogDraft, SpanDraft } from './records.ts';

/**
 * OTLP/JSON (opentelemetry-proto, "JSON Protobuf Encoding"): lowerCamelCase keys, trace and span ids in hex, 64-bit
 * integers as numbers or text. Unknown fields are ignored; a value of another type than it should have makes its record
 * refused, and a request that is not an object of lists MALFORMED_BODY.
 */
export function decodeTracesJson(body: unknown): DecodedExport {
  return decodeExport(body, ['resourceSpans', 'scopeSpans', 'spans'], (result, group, record, bytes) =>
    addSpan(result, group, bytes, () => readSpan(record)),
  );
}

export function decodeLogsJson(body: unknown): DecodedExport {
  return decodeExport(body, ['resourceLogs', 'scopeLogs', 'logRecords'], (result, group, record, bytes) =>
    addLog(result, group, bytes, () => readLog(record)),
  );
}

type JsonObject = Record<string, unknown>;
type AddRecord = (result: DecodedExport, group: DecodedGroup, record: JsonObject, bytes: number) => void;

function decodeExport(body: unknown, [resources, scopes, records]: [string, string, string], add: AddRecord) {
  const result = emptyExport();
  for (const resourceGroup of objectsOf(requireObject(body), resources)) {
    const resource = resourceAttributes(resourceGroup['resource']);
    for (const scopeGroup of objectsOf(resourceGroup, scopes)) {
      const group = emptyGroup(resource, scopeNameOf(scopeGroup['scope']));
      for (const record of objectsOf(scopeGroup, records)) {
        add(result, group, record, Buffer.byteLength(JSON.stringify(record)));
      }
      result.groups.push(group);
    }
  }
  return result;
}

function readSpan(span: JsonObject): SpanDraft {
  const status = optionalObject(span['status'], 'status');
  return {
    traceId: text(span['traceId'], 'traceId').toLowerCase(),
    spanId: text(span['spanId'], 'spanId').toLowerCase(),
    parentSpanId: text(span['parentSpanId'], 'parentSpanId').toLowerCase(),
    name: text(span['name'], 'name'),
    kind: integer(span['kind'], 'kind'),
    startTimeUnixNano: unixNano(span['startTimeUnixNano'], 'startTimeUnixNano'),
    endTimeUnixNano: unixNano(span['endTimeUnixNano'], 'endTimeUnixNano'),
    statusCode: integer(status['code'], 'status.code'),
    statusMessage: text(status['message'], 'status.message'),
    attributes: attributesOf(span['attributes']),
    events: list(span['events'], 'events').map((entry) => {
      const event = optionalObject(entry, 'events');
      return {
        name: text(event['name'], 'events.name'),
        timeUnixNano: unixNano(event['timeUnixNano'], 'events.timeUnixNano'),
        attributes: attributesOf(event['attributes']),
      };
    }),
  };
}

function readLog(log: JsonObject): LogDraft {
  const timeUnixNano = unixNano(log['timeUnixNano'], 'timeUnixNano');
  return {
    traceId: text(log['traceId'], 'traceId').toLowerCase(),
    spanId: text(log['spanId'], 'spanId').toLowerCase(),
    eventName: text(log['eventName'], 'eventName'),
    timeUnixNano: timeUnixNano === '0' ? unixNano(log['observedTimeUnixNano'], 'observedTimeUnixNano') : timeUnixNano,
    attributes: attributesOf(log['attributes']),
    body: anyValue(log['body'], 0),
  };
}

function anyValue(value: unknown, depth: number): JsonValue {
  requireDepth(depth);
  if (value === undefined || value === null) return null;
  const any = optionalObject(value, 'value');
  if ('stringValue' in any) return text(any['stringValue'], 'stringValue');
  if ('boolValue' in any) return any['boolValue'] === true;
  if ('intValue' in any) return int64(any['intValue']);
  if ('doubleValue' in any) return double(any['doubleValue']);
  if ('arrayValue' in any) {
    return list(optionalObject(any['arrayValue'], 'arrayValue')['values'], 'values').map((v) => anyValue(v, depth + 1));
  }
  if ('kvlistValue' in any) return attributesOf(optionalObject(any['kvlistValue'], 'kvlistValue')['values'], depth + 1);
  if ('bytesValue' in any) return text(any['bytesValue'], 'bytesValue');
  return null;
}

function attributesOf(value: unknown, depth = 0): JsonAttributes {
  const attributes: JsonAttributes = {};
  for (const entry of list(value, 'attributes')) {
    const pair = optionalObject(entry, 'attributes');
    setAttribute(attributes, text(pair['key'], 'attributes.key'), anyValue(pair['value'], depth));
  }
  return attributes;
}

/** A resource is shared by many records; one that cannot be read is not worth losing them. */
function resourceAttributes(resource: unknown): JsonAttributes {
  try {
    return attributesOf(optionalObject(resource, 'resource')['attributes']);
  } catch (error) {
    if (error instanceof RecordRefusedError) return {};
    throw error;
  }
}

function scopeNameOf(scope: unknown): string {
  const name = isObject(scope) ? scope['name'] : undefined;
  return typeof name === 'string' ? name : '';
}

function int64(value: unknown): JsonValue {
  if (typeof value === 'number' && Number.isInteger(value)) return value;
  if (typeof value !== 'string' || !/^-?\d{1,20}$/.test(value)) throw new RecordRefusedError('intValue is not valid');
  const asNumber = Number(value);
  return Number.isSafeInteger(asNumber) ? asNumber : value;
}

function double(value: unknown): JsonValue {
  if (typeof value === 'number') return jsonNumber(value);
  if (value === 'NaN' || value === 'Infinity' || value === '-Infinity') return value;
  throw new RecordRefusedError('doubleValue is not valid');
}

function unixNano(value: unknown, name: string): string {
  if (value === undefined || value === null) return '0';
  if (typeof value === 'string' && /^\d{1,20}$/.test(value)) return value.replace(/^0+(?=\d)/, '');
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0) return BigInt(value).toString();
  throw new RecordRefusedError(`${name} is not valid`);
}

function integer(value: unknown, name: string): number {
  if (value === undefined || value === null) return 0;
  if (typeof value === 'number' && Number.isInteger(value)) return value;
  throw new RecordRefusedError(`${name} is not an integer`);
}

function text(value: unknown, name: string): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  throw new RecordRefusedError(`${name} is not a text`);
}

function list(value: unknown, name: string): unknown[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value;
  throw new RecordRefusedError(`${name} is not a list`);
}

function optionalObject(value: unknown, name: string): JsonObject {
  if (value === undefined || value === null) return {};
  if (isObject(value)) return value;
  throw new RecordRefusedError(`${name} is not an object`);
}

function objectsOf(parent: JsonObject, key: string): JsonObject[] {
  const value = parent[key];
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value) || !value.every(isObject)) throw malformed(`${key} is not a list of objects`);
  return value;
}

function requireObject(value: unknown): JsonObject {
  if (!isObject(value)) throw malformed('The body is not a JSON object');
  return value;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function malformed(message: string): AppError {
  return new AppError('MALFORMED_BODY', message);
}
