import type { ConversationMessage } from '@clew/contracts';
import { placeOf } from '@clew/kernel';
import { tokensOf } from '../text/sentences.ts';

/** Which words were said by when: the place of the first message that has each word. */
export interface KnownWords {
  /** Whether the words of a value, or its letters and digits in a row, or its number occur before a place. */
  has(value: string, beforePosition: number): boolean;
}

const MAX_READ_LENGTH = 200_000;
const MAX_TOTAL_LENGTH = 2_000_000;
const MIN_RUN_LENGTH = 4;
/** So many characters are searched for values as they are; after that all words are looked up in an index. */
const DIRECT_SEARCH_LENGTH = 20_000_000;
/** So many are searched in all; of a value that is not searched for nobody can tell that it is new. */
const MAX_SEARCHED_LENGTH = 400_000_000;
const NUMBER = /\d{1,15}(?:,\d{3})*(?:\.\d{1,15})?/g;
const IS_NUMBER = /^-?\d{1,15}(?:\.\d{1,15})?$/;
const WORD_CHARACTER = /[\p{L}\p{N}]/u;

interface Source {
  readonly position: number;
  readonly text: string;
}

/** Reads messages once; `isSource` says whose words count. Of very long ones the first part is read. */
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
      // Most values stand there as they are; the index is dear, and only the others need it.
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

/** Whether a value stands in a text as it is, and not inside a longer word. */
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
  /** Where each word, and each number, comes first. */
  readonly firstPlace: ReadonlyMap<string, number>;
  /** The letters and digits of all texts, and where each text ends in them. */
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

/** Whether letters and digits stand in a row, whatever stands between them. */
function isRunTogether(run: string, { runs, ends }: WordIndex, before: number): boolean {
  const found = placeOf(runs, run);
  return found !== -1 && found + run.length <= (ends.findLast(({ position }) => position < before)?.end ?? 0);
}

/** `1,200.50` and `1200.5` are one number. */
function numberKey(digits: string): string {
  return `# ${Number(digits)}`;
}
