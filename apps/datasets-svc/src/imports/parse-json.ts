import { MAX_JSON_DEPTH, parseStrictly } from '@clew/kernel';
import { UnreadableField } from './import-record.ts';

export interface ParsedJson {
  value: unknown;
  /** How many values it holds, nested ones included. */
  valueCount: number;
}

/** Tiny values take many times the memory of their text: more of them are no Example. */
const MAX_VALUES = 1_000_000;

/** The JSON of a field (or a line, whose path is empty); throws UnreadableField, also for what would be changed. */
export function parseJsonField(path: string, text: string): ParsedJson {
  const read = parseStrictly(text, { maxDepth: MAX_JSON_DEPTH, maxValues: MAX_VALUES });
  if ('value' in read) return read;
  const [problem] = read.problems;
  throw new UnreadableField([path, problem.path].filter((part) => part !== '').join('.'), problem.message);
}
