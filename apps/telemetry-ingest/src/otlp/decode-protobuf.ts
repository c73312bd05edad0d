import { AppError } from '@clew/kernel';
import { readAnyValue, readKeyValue, type JsonAttributes } from './any-value.ts';
import { addLog, addSpan, emptyExport, emptyGroup, type DecodedExport, type DecodedGroup } from './decoded.ts';
import { RecordRefusedError } from './limits.ts';
import type { LogDraft, SpanDraft } from './records.ts';
import { readFixed64, readMessage, readSlice, readText, readVarint } from './wire.ts';

/**
 * Decodes ExportTraceServiceRequest (opentelemetry-proto 1.x, collector/trace/v1) straight into records: field numbers
 * are those of trace/v1/trace.proto. Throws MALFORMED_BODY when the bytes are not protobuf.
 */
export function decodeTraces(bytes: Uint8Array): DecodedExport {
  return decodeExport(bytes, (result, group, record) => addSpan(result, group, record.length, () => readSpan(record)));
}

/** Decodes ExportLogsServiceRequest (collector/logs/v1, logs/v1/logs.proto). */
export function decodeLogs(bytes: Uint8Array): DecodedExport {
  return decodeExport(bytes, (result, group, record) => addLog(result, group, record.length, () => readLog(record)));
}

type AddRecord = (result: DecodedExport, group: DecodedGroup, record: Uint8Array) => void;

/** Traces and logs nest alike: request 1 -> resource 1 and scopes 2 -> scope 1 and records 2. */
function decodeExport(bytes: Uint8Array, add: AddRecord): DecodedExport {
  const result = emptyExport();
  try {
    readMessage(bytes, (field, reader, wireType) => {
      if (field !== 1) return false;
      readResourceGroup(readSlice(reader, wireType), result, add);
      return true;
    });
  } catch (error) {
    throw new AppError('MALFORMED_BODY', 'The body is not a valid OTLP protobuf message', { cause: error });
  }
  return result;
}

function readResourceGroup(bytes: Uint8Array, result: DecodedExport, add: AddRecord): void {
  const resource: JsonAttributes = {};
  const scopes: Uint8Array[] = [];
  readMessage(bytes, (field, reader, wireType) => {
    if (field === 1) readAttributes(readSlice(reader, wireType), 1, resource);
    else if (field === 2) scopes.push(readSlice(reader, wireType));
    else return false;
    return true;
  });
  for (const scope of scopes) readScopeGroup(scope, resource, result, add);
}

function readScopeGroup(bytes: Uint8Array, resource: JsonAttributes, result: DecodedExport, add: AddRecord): void {
  let scopeName = '';
  const records: Uint8Array[] = [];
  readMessage(bytes, (field, reader, wireType) => {
    if (field === 1) scopeName = readScopeName(readSlice(reader, wireType));
    else if (field === 2) records.push(readSlice(reader, wireType));
    else return false;
    return true;
  });
  const group = emptyGroup(resource, scopeName);
  for (const record of records) add(result, group, record);
  result.groups.push(group);
}

function readScopeName(bytes: Uint8Array): string {
  let name = '';
  readMessage(bytes, (field, reader, wireType) => {
    if (field !== 1) return false;
    name = readText(reader, wireType);
    return true;
  });
  return name;
}

function readAttributes(bytes: Uint8Array, attributeField: number, attributes: JsonAttributes): void {
  readMessage(bytes, (field, reader, wireType) => {
    if (field !== attributeField) return false;
    try {
      readKeyValue(readSlice(reader, wireType), attributes);
    } catch (error) {
      // A resource is shared by many records; an attribute that nests too deep is not worth losing them.
      if (!(error instanceof RecordRefusedError)) throw error;
    }
    return true;
  });
}

function readSpan(bytes: Uint8Array): SpanDraft {
  const span: SpanDraft = {
    traceId: '',
    spanId: '',
    parentSpanId: '',
    name: '',
    kind: 0,
    startTimeUnixNano: '0',
    endTimeUnixNano: '0',
    statusCode: 0,
    statusMessage: '',
    attributes: {},
    events: [],
  };
  readMessage(bytes, (field, reader, wireType) => {
    switch (field) {
      case 1:
        span.traceId = hex(readSlice(reader, wireType));
        return true;
      case 2:
        span.spanId = hex(readSlice(reader, wireType));
        return true;
      case 4:
        span.parentSpanId = hex(readSlice(reader, wireType));
        return true;
      case 5:
        span.name = readText(reader, wireType);
        return true;
      case 6:
        span.kind = readVarint(reader, wireType);
        return true;
      case 7:
        span.startTimeUnixNano = readFixed64(reader, wireType);
        return true;
      case 8:
        span.endTimeUnixNano = readFixed64(reader, wireType);
        return true;
      case 9:
        readKeyValue(readSlice(reader, wireType), span.attributes as JsonAttributes);
        return true;
      case 11:
        span.events.push(readEvent(readSlice(reader, wireType)));
        return true;
      case 15:
        readStatus(readSlice(reader, wireType), span);
        return true;
      default:
        return false;
    }
  });
  return span;
}

function readEvent(bytes: Uint8Array): SpanDraft['events'][number] {
  const attributes: JsonAttributes = {};
  let name = '';
  let timeUnixNano = '0';
  readMessage(bytes, (field, reader, wireType) => {
    if (field === 1) timeUnixNano = readFixed64(reader, wireType);
    else if (field === 2) name = readText(reader, wireType);
    else if (field === 3) readKeyValue(readSlice(reader, wireType), attributes);
    else return false;
    return true;
  });
  return { name, timeUnixNano, attributes };
}

function readStatus(bytes: Uint8Array, span: SpanDraft): void {
  readMessage(bytes, (field, reader, wireType) => {
    if (field === 2) span.statusMessage = readText(reader, wireType);
    else if (field === 3) span.statusCode = readVarint(reader, wireType);
    else return false;
    return true;
  });
}

function readLog(bytes: Uint8Array): LogDraft {
  const log: LogDraft = { traceId: '', spanId: '', eventName: '', timeUnixNano: '0', attributes: {}, body: null };
  let observedTimeUnixNano = '0';
  readMessage(bytes, (field, reader, wireType) => {
    switch (field) {
      case 1:
        log.timeUnixNano = readFixed64(reader, wireType);
        return true;
      case 5:
        log.body = readAnyValue(readSlice(reader, wireType));
        return true;
      case 6:
        readKeyValue(readSlice(reader, wireType), log.attributes as JsonAttributes);
        return true;
      case 9:
        log.traceId = hex(readSlice(reader, wireType));
        return true;
      case 10:
        log.spanId = hex(readSlice(reader, wireType));
        return true;
      case 11:
        observedTimeUnixNano = readFixed64(reader, wireType);
        return true;
      case 12:
        log.eventName = readText(reader, wireType);
        return true;
      default:
        return false;
    }
  });
  if (log.timeUnixNano === '0') log.timeUnixNano = observedTimeUnixNano;
  return log;
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
}
