import { foldedText } from '@clew/knowledge';
import { readJson } from '@clew/kernel';
import type { SaidMessage } from '../example-messages.ts';

/** Words that add nothing to a message: without them, a correction that only adds an apology is the mistake itself. */
const FILLERS = new Set(
  [
    'a an the and so just also then now please kindly very really i we you my our your is am are to of that this',
    'sorry apologies apologize apologise apology inconvenience confusion mistake error for',
    'hello hi dear sure certainly course okay ok yes thanks thank',
    'der die das und auch bitte leider entschuldigung tut mir leid ja danke',
  ]
    .join(' ')
    .split(' '),
);

/**
 * Tells whether a response is the rejected one over again: the same calls, and the same words in the same order but for
 * case, marks and words that add nothing.
 */
export function isEqualToRejected(response: SaidMessage, rejected: SaidMessage): boolean {
  return callsOf(response) === callsOf(rejected) && wordsOf(response) === wordsOf(rejected);
}

function wordsOf({ content }: SaidMessage): string {
  const words = foldedText(content).match(/[\p{L}\p{N}]{1,100}/gu) ?? [];
  const telling = words.filter((word) => !FILLERS.has(word));
  // A message of fillers alone is compared as it is.
  return (telling.length === 0 ? words : telling).join(' ');
}

function callsOf({ toolCalls = [] }: SaidMessage): string {
  return JSON.stringify(toolCalls.map(({ name, arguments: given }) => [name, inOrder(parsed(given ?? {}))]));
}

/** Parses arguments that were recorded as text, if they are JSON. */
function parsed(given: unknown): unknown {
  if (typeof given !== 'string') return given;
  try {
    return readJson(given);
  } catch {
    return given;
  }
}

/** Value with the members of its objects as pairs in order, and its texts without differences of case and space. */
function inOrder(value: unknown): unknown {
  if (typeof value === 'string') return foldedText(value).trim();
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, member]) => [name, inOrder(member)]);
}
