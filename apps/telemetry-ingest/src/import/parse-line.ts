import { parseStrictly, type Line } from '@clew/kernel';
import { ImportedConversation } from './imported-conversation.ts';

/** Reason why a line, or the part of it at the path, is refused. */
export interface LineProblem {
  path: string;
  reason: string;
}

export type ParsedLine = { conversation: ImportedConversation } | LineProblem;

const MAX_DEPTH = 64;
/** Limit of parsed values: tiny values take many times the memory of their text. */
const MAX_VALUES = 250_000;
/**
 * Limit of object members: five for each of the maximum number of messages. More members with distinct names would
 * block the process for too long.
 */
const MAX_MEMBERS = 50_000;

/** Parses a line to its conversation or to its first problem; undefined for an empty line. */
export function parseLine(line: Line): ParsedLine | undefined {
  if ('refusal' in line) return wholeLine(line.refusal);
  if (line.text.trim() === '') return undefined;
  const read = parseStrictly(line.text, { maxDepth: MAX_DEPTH, maxValues: MAX_VALUES, maxMembers: MAX_MEMBERS });
  if (!('value' in read)) {
    const [{ path, message }] = read.problems;
    return { path, reason: message };
  }
  const { data, error } = ImportedConversation.safeParse(read.value);
  if (data !== undefined) return { conversation: data };
  const issue = error.issues[0];
  return { path: issue?.path.map(String).join('.') ?? '', reason: issue?.message ?? 'is not valid' };
}

export function wholeLine(reason: string): LineProblem {
  return { path: '', reason };
}
