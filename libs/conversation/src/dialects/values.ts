import { canonicalJson, measureJson, readJson } from '@clew/kernel';
import { MAX_ARGUMENT_VALUES, MAX_IDENTIFIER_LENGTH, MAX_JSON_DEPTH, MAX_PARSED_JSON } from './limits.ts';

export type JsonRecord = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Makes a text that every store and every hash accepts: a lone surrogate becomes the replacement character. */
export function wellFormed(text: string): string {
  return text.isWellFormed() ? text : text.toWellFormed();
}

/** Returns a non-empty text of identifier length; numbers count, because some SDKs send ids as integers. */
export function identifier(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || text === '' || text.length > MAX_IDENTIFIER_LENGTH) return undefined;
  return wellFormed(text);
}

/** Returns the first attribute of the list that is an identifier. */
export function firstIdentifier(attributes: JsonRecord, keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const found = identifier(attributes[key]);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Parses a count: a number or a decimal text that is finite and not negative. */
export function count(value: unknown): number | undefined {
  const parsed = typeof value === 'string' && /^\d{1,18}$/.test(value) ? Number(value) : value;
  return typeof parsed === 'number' && Number.isFinite(parsed) && parsed >= 0 ? parsed : undefined;
}

/** Parses a JSON text; undefined for a text that is not JSON, or too much of it. Never throws. */
export function parseJson(text: string): unknown {
  if (isTooMuch(text)) return undefined;
  try {
    return readJson(text);
  } catch {
    return undefined;
  }
}

/** Tells whether a text exceeds the limits. Most texts are too short for that, and are not measured. */
function isTooMuch(text: string): boolean {
  if (text.length <= MAX_PARSED_JSON.memberCount) return false;
  const { memberCount, valueCount } = measureJson(text);
  return memberCount > MAX_PARSED_JSON.memberCount || valueCount > MAX_PARSED_JSON.valueCount;
}

/** Returns a structured value, whether it came structured or as JSON text; undefined for invalid text. */
export function structured(value: unknown): unknown {
  return typeof value === 'string' ? parseJson(value) : value;
}

/**
 * Canonical JSON of any value. Values that JSON cannot represent (lone surrogates, infinities) are replaced; never
 * throws.
 */
export function canonicalText(value: unknown): string {
  try {
    return canonicalJson(value);
  } catch {
    return canonicalJson(representable(value, 0));
  }
}

/** Replaces everything in a value that canonical JSON rejects. */
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

/** Returns a structured value of limited depth and size; a deeper or larger one becomes its JSON text. */
export function boundedValue(value: unknown): unknown {
  return isBeyond(value, MAX_JSON_DEPTH, { values: MAX_ARGUMENT_VALUES }) ? canonicalText(value) : value;
}

/**
 * Tells whether a value nests deeper, or contains more values, than allowed; `left` is reduced by the values counted.
 */
export function isBeyond(value: unknown, levels: number, left: { values: number }): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  const items = Array.isArray(value) ? value : Object.values(value);
  left.values -= items.length;
  return left.values < 0 || items.some((item) => isBeyond(item, levels - 1, left));
}
