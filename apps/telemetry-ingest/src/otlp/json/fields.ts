import { MAX_NAME_LENGTH, RecordRefused } from '../../records/limits.ts';

/**
 * Fields of OTLP/JSON (opentelemetry-proto, "JSON Protobuf Encoding"). An absent or null field has the default of its
 * type; a value of another type causes its record to be refused.
 */
export type JsonObject = Readonly<Record<string, unknown>>;

const UNIX_NANO = /^\d{1,20}$/;
const MAX_UINT64 = '18446744073709551615';

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function objectField(value: unknown, name: string): JsonObject {
  if (value === undefined || value === null) return {};
  if (isObject(value)) return value;
  throw new RecordRefused(`${name} is not an object`);
}

export function listField(value: unknown, name: string): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value;
  throw new RecordRefused(`${name} is not a list`);
}

export function textField(value: unknown, name: string): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  throw new RecordRefused(`${name} is not a text`);
}

export function nameField(value: unknown, name: string): string {
  return textField(value, name).slice(0, MAX_NAME_LENGTH);
}

/** Reads an enumeration. OTLP/JSON writes the number of its value; encoders of plain protobuf JSON write its name. */
export function enumField(value: unknown, name: string, names: readonly string[]): number {
  if (value === undefined || value === null) return 0;
  const number = typeof value === 'string' && names.includes(value) ? names.indexOf(value) : value;
  const isInt32 = typeof number === 'number' && (number | 0) === number;
  if (!isInt32) throw new RecordRefused(`${name} is not valid`);
  return number;
}

/** Reads nanoseconds as decimal text, whether given as text or as a number. */
export function unixNanoField(value: unknown, name: string): string {
  if (value === undefined || value === null) return '0';
  const text = typeof value === 'number' && Number.isInteger(value) ? BigInt(value).toString() : value;
  if (typeof text !== 'string' || !UNIX_NANO.test(text)) throw new RecordRefused(`${name} is not valid`);
  const digits = text.replace(/^0+(?=\d)/, '');
  if (digits.length === MAX_UINT64.length && digits > MAX_UINT64) throw new RecordRefused(`${name} is not valid`);
  return digits;
}
