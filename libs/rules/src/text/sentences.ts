import { isAscii, normalised } from '@clew/kernel';

/** Word of a message: its normalized form, and its position in the message's content. */
export interface Token {
  readonly text: string;
  /** Small number that equal words have in common (`markOf`). */
  readonly mark: number;
  readonly start: number;
  readonly end: number;
}

/** Sentence of a message, as offsets into the content, with its words. */
export interface Sentence {
  readonly start: number;
  readonly end: number;
  readonly isQuestion: boolean;
  readonly tokens: readonly Token[];
}

/** Length of the parts at both ends that are read of a long message: promises, questions and admissions are there. */
const WINDOW_LENGTH = 6000;

const WORD = /[\p{L}\p{N}]+(?:['’][\p{L}\p{N}]+)*/gu;
const SENTENCE_END = /(?<![.!?…。！？])[.!?…。！？]+(?=[\s"'”’)\]*_]|$)|[。！？]|\n/gu;
const COMBINING_MARKS = /\p{M}/gu;
const PLAIN_WORD = /^[a-z0-9]+$/;

/**
 * Normalizes a word for comparison: lower case, without apostrophes and accents, so that `that's`, `thats` and `That’s`
 * are one word, and words typed without an umlaut key match.
 */
export function normaliseWord(word: string): string {
  // Most words are already in normalized form.
  if (PLAIN_WORD.test(word)) return word;
  const lower = word.toLowerCase().replace(/['’]/g, '');
  return isAscii(lower) ? lower : normalised(lower, 'NFD').replace(COMBINING_MARKS, '');
}

/** Number below 256 from a word's ends and length: it tells most words apart without a comparison. */
export function markOf(word: string): number {
  return (word.charCodeAt(0) * 11 + word.charCodeAt(word.length - 1) * 5 + word.length) & 255;
}

/** Splits a text into words, with offsets that begin at `offset`. */
export function tokensOf(text: string, offset = 0): Token[] {
  if (isAscii(text)) return asciiTokens(text, offset);
  const tokens: Token[] = [];
  for (const match of text.matchAll(WORD)) {
    const start = offset + match.index;
    const word = normaliseWord(match[0]);
    tokens.push({ text: word, mark: markOf(word), start, end: start + match[0].length });
  }
  return tokens;
}

const APOSTROPHE = 39;
const isWordCode = Uint8Array.from({ length: 128 }, (_, code) => Number(/[a-z0-9]/i.test(String.fromCharCode(code))));

/** Splits a plain text into the same words, without the cost of a match object for each. */
function asciiTokens(text: string, offset: number): Token[] {
  const tokens: Token[] = [];
  const isWordAt = (index: number): boolean => index < text.length && isWordCode[text.charCodeAt(index)] === 1;
  for (let start = 0; start < text.length; start += 1) {
    if (!isWordAt(start)) continue;
    let end = start;
    let isPlain = true;
    while (isWordAt(end) || (text.charCodeAt(end) === APOSTROPHE && isWordAt(end + 1))) {
      // Digits and small letters are all that a normalized word has.
      const code = text.charCodeAt(end);
      if (code === APOSTROPHE || (code >= 65 && code <= 90)) isPlain = false;
      end += 1;
    }
    const written = text.slice(start, end);
    const word = isPlain ? written : normaliseWord(written);
    tokens.push({ text: word, mark: markOf(word), start: offset + start, end: offset + end });
    start = end;
  }
  return tokens;
}

/**
 * Returns the sentences of a message that contain words; of a long message, those of its first and last 6,000
 * characters.
 */
export function sentencesOf(content: string): Sentence[] {
  if (content.length <= 2 * WINDOW_LENGTH) return sentencesIn(content, 0);
  const tailStart = content.length - WINDOW_LENGTH;
  return [...sentencesIn(content.slice(0, WINDOW_LENGTH), 0), ...sentencesIn(content.slice(tailStart), tailStart)];
}

function sentencesIn(text: string, offset: number): Sentence[] {
  const sentences: Sentence[] = [];
  let start = 0;
  const close = (end: number, terminator: string): void => {
    const tokens = tokensOf(text.slice(start, end), offset + start);
    const first = tokens[0];
    if (first !== undefined) {
      const isQuestion = /[?？]/.test(terminator);
      sentences.push({ start: first.start, end: offset + end, isQuestion, tokens });
    }
    start = end;
  };
  for (const match of text.matchAll(SENTENCE_END)) {
    // A line break ends a sentence but does not belong to it.
    close(match[0] === '\n' ? match.index : match.index + match[0].length, match[0]);
  }
  close(text.length, '');
  return sentences;
}
