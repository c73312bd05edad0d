import { MAX_ATTRIBUTE_DEPTH, MAX_RECORD_VALUES, RecordRefused } from '../../records/limits.ts';
import { listField, objectField, textField } from './fields.ts';

/** Attribute values as plain JSON (contracts, Attributes). */
export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };
export type JsonAttributes = Record<string, JsonValue>;

const INTEGER = /^-?\d{1,19}$/;

/** Reads the attribute values of one record, and counts them, since a record has a limit. */
export class ValueReader {
  #valueCount = 0;

  /** Reads a list of KeyValues; the last of equal keys wins, as exporters mean it. */
  attributes(value: unknown, depth = 0): JsonAttributes {
    const attributes: JsonAttributes = {};
    for (const entry of listField(value, 'attributes')) {
      const pair = objectField(entry, 'attributes');
      setAttribute(attributes, textField(pair['key'], 'attributes.key'), this.anyValue(pair['value'], depth));
    }
    return attributes;
  }

  anyValue(value: unknown, depth = 0): JsonValue {
    if (depth > MAX_ATTRIBUTE_DEPTH) {
      throw new RecordRefused(`an attribute nests deeper than ${MAX_ATTRIBUTE_DEPTH} levels`);
    }
    this.#valueCount += 1;
    if (this.#valueCount > MAX_RECORD_VALUES) throw new RecordRefused(`more than ${MAX_RECORD_VALUES} values`);
    const any = objectField(value, 'value');
    if (isGiven(any['stringValue'])) return textField(any['stringValue'], 'stringValue');
    if (isGiven(any['boolValue'])) return boolean(any['boolValue']);
    if (isGiven(any['intValue'])) return int64(any['intValue']);
    if (isGiven(any['doubleValue'])) return double(any['doubleValue']);
    if (isGiven(any['arrayValue'])) {
      const { values } = objectField(any['arrayValue'], 'arrayValue');
      return listField(values, 'values').map((item) => this.anyValue(item, depth + 1));
    }
    if (isGiven(any['kvlistValue'])) {
      return this.attributes(objectField(any['kvlistValue'], 'kvlistValue')['values'], depth + 1);
    }
    return isGiven(any['bytesValue']) ? textField(any['bytesValue'], 'bytesValue') : null;
  }
}

/** Sets an attribute; plain assignment would call the setter of `__proto__`. */
function setAttribute(attributes: JsonAttributes, key: string, value: JsonValue): void {
  if (key === '__proto__') Object.defineProperty(attributes, key, { value, enumerable: true, writable: true });
  else attributes[key] = value;
}

/** Whether a field is set: JSON writes null for a field that is not, and some encoders write it for NaN. */
function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function boolean(value: unknown): boolean {
  if (typeof value !== 'boolean') throw new RecordRefused('boolValue is not valid');
  return value;
}

/** Reads an integer; beyond what a number holds exactly, it stays text (contracts, Attributes). */
function int64(value: unknown): JsonValue {
  if (typeof value === 'number' && Number.isInteger(value)) {
    return Number.isSafeInteger(value) || Math.abs(value) >= 2 ** 63 ? value : BigInt(value).toString();
  }
  if (typeof value !== 'string' || !INTEGER.test(value)) throw new RecordRefused('intValue is not valid');
  const asNumber = Number(value);
  return Number.isSafeInteger(asNumber) ? asNumber : BigInt(value).toString();
}

/** Reads a double. JSON has no NaN and no infinities: they are text, in OTLP/JSON as in the stored form. */
function double(value: unknown): JsonValue {
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (value === 'NaN' || value === 'Infinity' || value === '-Infinity') return value;
  if (typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value))) return Number(value);
  throw new RecordRefused('doubleValue is not valid');
}
