import { canonicalJson, measureJson, readJson } from '@clew/kernel';
import { MAX_ARGUMENT_VALUES, MAX_IDENTIFIER_LENGTH, MAX_JSON_DEPTH, MAX_PARSED_JSON } from './limits.ts';

export type JsonRecord = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Text that every store and every hash can hold: a lone surrogate becomes the replacement character. */
export function wellFormed(text: string): string {
  return text.isWellFormed() ? text : text.toWellFormed();
}

/** A non-empty text of identifier length; numbers count, since some SDKs send ids as integers. */
export function identifier(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || text === '' || text.length > MAX_IDENTIFIER_LENGTH) return undefined;
  return wellFormed(text);
}

/** The first attribute of the list that holds an identifier. */
export function firstIdentifier(attributes: JsonRecord, keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const found = identifier(attributes[key]);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A count: a number or a decimal text that is finite and not negative. */
export function count(value: unknown): number | undefined {
  const parsed = typeof value === 'string' && /^\d{1,18}$/.test(value) ? Number(value) : value;
  return typeof parsed === 'number' && Number.isFinite(parsed) && parsed >= 0 ? parsed : undefined;
}

/** The JSON that a text holds, or undefined for a text that is not JSON, or holds too much of it. Never throws. */
export function parseJson(text: string): unknown {
  if (isTooMuch(text)) return undefined;
  try {
    return readJson(text);
  } catch {
    return undefined;
  }
}

/** Most texts are too short to hold as much, and are not measured for that. */
function isTooMuch(text: string): boolean {
  if (text.length <= MAX_PARSED_JSON.memberCount) return false;
  const { memberCount, valueCount } = measureJson(text);
  return memberCount > MAX_PARSED_JSON.memberCount || valueCount > MAX_PARSED_JSON.valueCount;
}

/** A structured value, whether it came structured or as a JSON text; undefined for a broken text. */
export function structured(value: unknown): unknown {
  return typeof value === 'string' ? parseJson(value) : value;
}

/** The canonical JSON of any value. What JSON cannot say (lone surrogates, infinities) is replaced; never throws. */
export function canonicalText(value: unknown): string {
  try {
    return canonicalJson(value);
  } catch {
    return canonicalJson(representable(value, 0));
  }
}

/** The value with everything that canonical JSON refuses replaced by what it can hold. */
export function representable(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return wellFormed(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'object' || value === null || depth > MAX_JSON_DEPTH) return null;
  if (Array.isArray(value)) return value.map((item) => representable(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [wellFormed(key), representable(item, depth + 1)]),
  );
}

/** A structured value of bounded depth and size; a deeper or larger one becomes its JSON text. */
export function boundedValue(value: unknown): unknown {
  return isBeyond(value, MAX_JSON_DEPTH, { values: MAX_ARGUMENT_VALUES }) ? canonicalText(value) : value;
}

/** Whether a value nests deeper, or holds more values, than it may; `left` is what is left of them afterwards. */
export function isBeyond(value: unknown, levels: number, left: { values: number }): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  const items = Array.isArray(value) ? value : Object.values(value);
  left.values -= items.length;
  return left.values < 0 || items.some((item) => isBeyond(item, levels - 1, left));
}
