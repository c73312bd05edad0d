import { MAX_JSON_DEPTH } from '@clew/http';
import { measureJson } from '@clew/kernel';
import { UnreadableField } from './import-record.ts';

export interface ParsedJson {
  value: unknown;
  /** How many values it holds, nested ones included. */
  valueCount: number;
}

/** Tiny values take many times the memory of their text: more of them are no Example. */
const MAX_VALUES = 1_000_000;

/** The JSON of a field (or a line, whose path is empty); throws UnreadableField. */
export function parseJsonField(path: string, text: string): ParsedJson {
  const { depth, valueCount } = measureJson(text);
  if (depth > MAX_JSON_DEPTH) throw new UnreadableField(path, `nests deeper than ${MAX_JSON_DEPTH} levels`);
  if (valueCount > MAX_VALUES) throw new UnreadableField(path, `holds more than ${MAX_VALUES} values`);
  try {
    return { value: JSON.parse(text), valueCount };
  } catch {
    throw new UnreadableField(path, 'is not valid JSON');
  }
}
