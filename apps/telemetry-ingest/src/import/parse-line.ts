import { measureJson, type Line } from '@clew/kernel';
import { ImportedConversation } from './imported-conversation.ts';

/** Why a line, or the part of it that the path names, is refused. */
export interface LineProblem {
  path: string;
  reason: string;
}

export type ParsedLine = { conversation: ImportedConversation } | LineProblem;

const MAX_DEPTH = 64;
/** What is parsed takes many times the memory of its text where its values are tiny. */
const MAX_VALUES = 250_000;

/** The conversation of a line, or the first thing that is wrong with it; undefined for an empty line. */
export function parseLine(line: Line): ParsedLine | undefined {
  if ('refusal' in line) return wholeLine(line.refusal);
  if (line.text.trim() === '') return undefined;
  const { depth, valueCount } = measureJson(line.text);
  if (depth > MAX_DEPTH) return wholeLine(`nests deeper than ${MAX_DEPTH} levels`);
  if (valueCount > MAX_VALUES) return wholeLine(`holds more than ${MAX_VALUES} values`);
  let value: unknown;
  try {
    value = JSON.parse(line.text);
  } catch {
    return wholeLine('is not valid JSON');
  }
  const { data, error } = ImportedConversation.safeParse(value);
  if (data !== undefined) return { conversation: data };
  const issue = error.issues[0];
  return { path: issue?.path.map(String).join('.') ?? '', reason: issue?.message ?? 'is not valid' };
}

export function wholeLine(reason: string): LineProblem {
  return { path: '', reason };
}
