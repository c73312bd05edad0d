import type { Api } from '@clew/sdk';
import type { Evidence } from './evidence.ts';
import { shownFields, type ShownField } from './shown-fields.ts';

/** Part of a text: from `start` to before `end`, in UTF-16 code units. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** Place of the words that somebody looks for. */
export interface Match extends Pick<ShownField, 'field' | 'part'>, TextRange {
  /** Index of the message. */
  readonly index: number;
}

export interface Matches {
  readonly all: readonly Match[];
  /** Whether there are more than are listed. */
  readonly isCut: boolean;
}

const MAX_MATCHES = 10_000;
const NO_MATCHES: Matches = { all: [], isCut: false };

/** Whether words are long enough to be looked for: one letter of a Latin text stands everywhere. */
export function isEnough(words: string): boolean {
  return words.length > 1 || (words.length === 1 && words > '\u02ff');
}

/** Places of words in a text, whatever their case; the places do not overlap. */
export function rangesOf(text: string, words: string, max = MAX_MATCHES): TextRange[] {
  const [hay, needle] = inOneCase(text, words);
  const ranges: TextRange[] = [];
  if (needle === '') return ranges;
  for (let at = hay.indexOf(needle); at >= 0 && ranges.length < max; at = hay.indexOf(needle, at + needle.length)) {
    ranges.push({ start: at, end: at + needle.length });
  }
  return ranges;
}

/** Both in lower case, unless that would move the places: some letters become two. */
function inOneCase(text: string, words: string): [string, string] {
  const lower = text.toLowerCase();
  return lower.length === text.length ? [lower, words.toLowerCase()] : [text, words];
}

/** Finds words in all messages of a transcript, in the order in which they are shown. */
export function findMatches(
  messages: readonly Api.ConversationMessage[],
  words: string,
  evidence: readonly Evidence[],
): Matches {
  if (!isEnough(words)) return NO_MATCHES;
  const all: Match[] = [];
  for (const message of messages) {
    for (const { field, part, text } of shownFields(message, evidence)) {
      const ranges = rangesOf(text, words, MAX_MATCHES + 1 - all.length);
      all.push(...ranges.map((range) => ({ ...range, field, part, index: message.index })));
      if (all.length > MAX_MATCHES) return { all: all.slice(0, MAX_MATCHES), isCut: true };
    }
  }
  return { all, isCut: false };
}

/** Parts of a search text that the search of conversations takes for words. */
const WORD = /[\p{L}\p{N}]+/gu;

/**
 * Words to look for in a transcript that was found by a search: all of them where they stand together, else the longest,
 * because a search finds words wherever they stand.
 */
export function wordsOfSearch(
  messages: readonly Api.ConversationMessage[],
  sought: string,
  evidence: readonly Evidence[],
): string {
  if (findMatches(messages, sought, evidence).all.length > 0) return sought;
  const words = sought.match(WORD) ?? [];
  return words.toSorted((one, other) => other.length - one.length)[0] ?? sought;
}

/** Number of the match after or before one, around the ends. */
export function matchBeside(at: number, by: 1 | -1, total: number): number {
  return total === 0 ? 0 : (at + by + total) % total;
}
