import { MAX_JSON_DEPTH, parseStrictly } from '@clew/kernel';
import { UnreadableField } from './import-record.ts';

export interface ParsedJson {
  value: unknown;
  /** Number of values, nested ones included. */
  valueCount: number;
}

/** Maximum values of one record: tiny values take many times the memory of their text. */
const MAX_VALUES = 1_000_000;

/**
 * Parses the JSON of a field, or of a line, whose path is empty. Throws UnreadableField, also for a value that parsing
 * would change.
 */
export function parseJsonField(path: string, text: string): ParsedJson {
  const read = parseStrictly(text, { maxDepth: MAX_JSON_DEPTH, maxValues: MAX_VALUES });
  if ('value' in read) return read;
  const [problem] = read.problems;
  throw new UnreadableField([path, problem.path].filter((part) => part !== '').join('.'), problem.message);
}
