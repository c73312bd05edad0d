import { parseStrictly, type Line } from '@clew/kernel';
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
/** Five for each of the most messages; more would hold up what else the process does, where each has a name of its own. */
const MAX_MEMBERS = 50_000;

/** The conversation of a line, or the first thing that is wrong with it; undefined for an empty line. */
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
