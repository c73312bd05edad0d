import type { ConversationMessage } from '@clew/contracts';
import { placeOf } from '@clew/kernel';
import { tokensOf } from '../text/sentences.ts';

/** Index of the words of a conversation: for each word, the position of the first message that contains it. */
export interface KnownWords {
  /** Tells whether a value's words, its letters and digits in a row, or its number occur before a position. */
  has(value: string, beforePosition: number): boolean;
}

const MAX_READ_LENGTH = 200_000;
const MAX_TOTAL_LENGTH = 2_000_000;
const MIN_RUN_LENGTH = 4;
/** Characters that are searched for exact values; afterwards all words are looked up in an index. */
const DIRECT_SEARCH_LENGTH = 20_000_000;
/** Characters that are searched in total; a value beyond that is not searched for, so it cannot be called new. */
const MAX_SEARCHED_LENGTH = 400_000_000;
const NUMBER = /\d{1,15}(?:,\d{3})*(?:\.\d{1,15})?/g;
const IS_NUMBER = /^-?\d{1,15}(?:\.\d{1,15})?$/;
const WORD_CHARACTER = /[\p{L}\p{N}]/u;

interface Source {
  readonly position: number;
  readonly text: string;
}

/**
 * Reads messages once; `isSource` selects the messages whose words count. Of very long ones, the first part is read.
 */
export function knownWords(
  messages: readonly ConversationMessage[],
  isSource: (message: ConversationMessage) => boolean,
): KnownWords {
  const sources: Source[] = [];
  let length = 0;
  messages.forEach((message, position) => {
    if (!isSource(message) || length >= MAX_TOTAL_LENGTH) return;
    const text = message.content.slice(0, Math.min(MAX_READ_LENGTH, MAX_TOTAL_LENGTH - length));
    sources.push({ position, text: text.toLowerCase() });
    length += text.length;
  });
  let index: WordIndex | undefined;
  let searched = 0;
  return {
    has(value, before) {
      const trimmed = value.trim();
      // Most values occur literally; the index is expensive, and only the others need it.
      if (index === undefined && searched < DIRECT_SEARCH_LENGTH) {
        searched += length;
        if (isWritten(trimmed.toLowerCase(), sources, before)) return true;
      }
      index ??= indexOf(sources);
      const words = tokensOf(trimmed).map((token) => token.text);
      if (areIndexed(trimmed, words, index, before)) return true;
      const run = words.join('');
      if (run.length < MIN_RUN_LENGTH) return false;
      searched += index.runs.length;
      return searched > MAX_SEARCHED_LENGTH || isRunTogether(run, index, before);
    },
  };
}

/** Tells whether a value occurs in a text literally, and not inside a longer word. */
function isWritten(value: string, sources: readonly Source[], before: number): boolean {
  if (value === '') return true;
  return sources.some(({ position, text }) => {
    if (position >= before) return false;
    const start = placeOf(text, value);
    if (start === -1) return false;
    const end = start + value.length;
    return !WORD_CHARACTER.test(text.charAt(start - 1)) && !WORD_CHARACTER.test(text.charAt(end));
  });
}

interface WordIndex {
  /** First position of each word, and of each number. */
  readonly firstPlace: ReadonlyMap<string, number>;
  /** Letters and digits of all texts joined, and the end of each text in them. */
  readonly runs: string;
  readonly ends: readonly { readonly position: number; readonly end: number }[];
}

function indexOf(sources: readonly Source[]): WordIndex {
  const firstPlace = new Map<string, number>();
  const runs: string[] = [];
  const ends: { position: number; end: number }[] = [];
  let end = 0;
  for (const { position, text } of sources) {
    const words = tokensOf(text).map((token) => token.text);
    const numbers = Array.from(text.matchAll(NUMBER), ([number]) => numberKey(number.replaceAll(',', '')));
    for (const word of [...words, ...numbers]) if (!firstPlace.has(word)) firstPlace.set(word, position);
    const run = words.join('');
    runs.push(run);
    end += run.length + 1;
    ends.push({ position, end });
  }
  return { firstPlace, runs: runs.join(' '), ends };
}

function areIndexed(value: string, words: readonly string[], { firstPlace }: WordIndex, before: number): boolean {
  const isKnown = (word: string): boolean => (firstPlace.get(word) ?? Infinity) < before;
  return (IS_NUMBER.test(value) && isKnown(numberKey(value.replace('-', '')))) || words.every(isKnown);
}

/** Tells whether letters and digits occur in a row, ignoring other characters between them. */
function isRunTogether(run: string, { runs, ends }: WordIndex, before: number): boolean {
  const found = placeOf(runs, run);
  return found !== -1 && found + run.length <= (ends.findLast(({ position }) => position < before)?.end ?? 0);
}

/** Normalizes a number: `1,200.50` and `1200.5` are equal. */
function numberKey(digits: string): string {
  return `# ${Number(digits)}`;
}
