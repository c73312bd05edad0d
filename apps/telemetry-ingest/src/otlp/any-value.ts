import { MAX_ATTRIBUTE_DEPTH, RecordRefusedError } from './limits.ts';
import { readInt64, readMessage, readSlice, readText, readVarint, WireFormatError } from './wire.ts';

/** Attribute values as plain JSON (contracts, SpanRecord). */
export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };
export type JsonAttributes = Record<string, JsonValue>;

/** Reads an opentelemetry.proto.common.v1.AnyValue. */
export function readAnyValue(bytes: Uint8Array, depth = 0): JsonValue {
  requireDepth(depth);
  let value: JsonValue = null;
  readMessage(bytes, (field, reader, wireType) => {
    switch (field) {
      case 1:
        value = readText(reader, wireType);
        return true;
      case 2:
        value = readVarint(reader, wireType) !== 0;
        return true;
      case 3:
        value = readInt64(reader, wireType);
        return true;
      case 4:
        if (wireType !== 1) throw new WireFormatError('a double was expected');
        value = jsonNumber(reader.double());
        return true;
      case 5:
        value = readArray(readSlice(reader, wireType), depth + 1);
        return true;
      case 6:
        value = readKeyValueList(readSlice(reader, wireType), depth + 1);
        return true;
      case 7:
        value = Buffer.from(readSlice(reader, wireType)).toString('base64');
        return true;
      default:
        return false;
    }
  });
  return value;
}

/** Reads a KeyValue into `attributes`; the last of equal keys wins, as exporters mean it. */
export function readKeyValue(bytes: Uint8Array, attributes: JsonAttributes, depth = 0): void {
  let key = '';
  let value: JsonValue = null;
  readMessage(bytes, (field, reader, wireType) => {
    if (field === 1) key = readText(reader, wireType);
    else if (field === 2) value = readAnyValue(readSlice(reader, wireType), depth);
    else return false;
    return true;
  });
  setAttribute(attributes, key, value);
}

/** Plain assignment would call the setter of `__proto__`. */
export function setAttribute(attributes: JsonAttributes, key: string, value: JsonValue): void {
  if (key === '__proto__') Object.defineProperty(attributes, key, { value, enumerable: true, writable: true });
  else attributes[key] = value;
}

/** JSON has no NaN and no infinities: they are kept as text. */
export function jsonNumber(value: number): JsonValue {
  return Number.isFinite(value) ? value : String(value);
}

export function requireDepth(depth: number): void {
  if (depth > MAX_ATTRIBUTE_DEPTH) {
    throw new RecordRefusedError(`an attribute nests deeper than ${MAX_ATTRIBUTE_DEPTH} levels`);
  }
}

function readArray(bytes: Uint8Array, depth: number): JsonValue[] {
  const values: JsonValue[] = [];
  readMessage(bytes, (field, reader, wireType) => {
    if (field !== 1) return false;
    values.push(readAnyValue(readSlice(reader, wireType), depth));
    return true;
  });
  return values;
}

function readKeyValueList(bytes: Uint8Array, depth: number): JsonAttributes {
  const attributes: JsonAttributes = {};
  readMessage(bytes, (field, reader, wireType) => {
    if (field !== 1) return false;
    readKeyValue(readSlice(reader, wireType), attributes, depth);
    return true;
  });
  return attributes;
}
