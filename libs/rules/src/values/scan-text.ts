import { allMatches, withoutTrailing } from '@clew/kernel';
import { visitRuns } from './runs.ts';

/** Kind of a value, judged by its form. */
export type ValueKind = 'number' | 'date' | 'code' | 'address' | 'name' | 'quoted';

/** Concrete value in a text that another step can repeat: a number, an id, a date, a name, a quoted string. */
export interface TextValue {
  readonly kind: ValueKind;
  /** Normalized form for comparison; equal for `1,234.50` and `1234.5`. */
  readonly key: string;
  readonly start: number;
  readonly end: number;
}

/** Text after scanning: its normalized words, and its values. */
export interface ScannedText {
  readonly words: ReadonlySet<string>;
  readonly values: readonly TextValue[];
}

/** Limit for long texts: the rest of a megabyte document adds nothing about the origin of values. */
const MAX_TEXT_LENGTH = 200_000;
const MAX_QUOTED_LENGTH = 80;
const MAX_KEY_LENGTH = 200;
const MIN_QUOTED_LENGTH = 3;
const MAX_NAME_WORDS = 6;

const URL = /https?:\/\/[^\s<>"'`)\]}]{3,}/g;
const NUMBER = /^(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?$/;
const ISO_DAY = /^\d{4}-\d\d-\d\d(?!\d)/;
const CAPITALISED = /^\p{Lu}[\p{L}'’.-]*\p{L}$/u;
const HAS_DIGIT = /\p{N}/u;
const HAS_LETTER = /\p{L}/u;
/** Run that is a word and nothing else. */
const SMALL_LETTERS = /^[a-z]+$/;
/** Run that is one part. */
const PLAIN_WORD = /^[a-z0-9]+$/;
const PART = /[\p{L}\p{N}]+/gu;
/** Small words that may occur between the words of a name; otherwise only a space may. */
const NAME_LINKS = new Set(['of', 'the', 'de', 'la', 'von', 'van', 'del', 'da', 'for', 'and']);
const CLOSING: Readonly<Record<string, string>> = { '"': '"', '“': '”', '«': '»', '`': '`', "'": "'" };

/** Scans the words and values of a text, in time linear in its length. */
export function scanText(text: string): ScannedText {
  const head = text.length > MAX_TEXT_LENGTH ? text.slice(0, MAX_TEXT_LENGTH) : text;
  const words = new Set<string>();
  const values: TextValue[] = [];
  const name = new NameReader(head, values);
  visitRuns(head, (run, start, end) => {
    // Most words are plain: they are no value, and have no parts.
    if (SMALL_LETTERS.test(run)) words.add(run.slice(0, MAX_KEY_LENGTH));
    else {
      addWords(words, run);
      const value = valueOf(run);
      if (value !== undefined) values.push({ ...value, start, end });
    }
    name.take(run, start, end);
  });
  name.close();
  for (const match of head.includes('://') ? allMatches(head, URL) : []) {
    const key = withoutTrailing(match[0].slice(0, MAX_KEY_LENGTH), /[.,;:!?]/);
    values.push({ kind: 'address', key, start: match.index, end: match.index + match[0].length });
  }
  addQuoted(head, values);
  return { words, values };
}

/** Normalizes a number; undefined if a text is not a plain number. */
export function numberKey(text: string): string | undefined {
  if (!NUMBER.test(text) || text.length > 30) return undefined;
  return String(Number(text.replaceAll(',', '')));
}

function valueOf(run: string): Pick<TextValue, 'kind' | 'key'> | undefined {
  if (!HAS_DIGIT.test(run)) {
    if (run.includes('@')) return { kind: 'address', key: keyOf(run) };
    return run.includes('_') && run.length > 3 ? { kind: 'code', key: keyOf(run) } : undefined;
  }
  const number = numberKey(run);
  if (number !== undefined) return { kind: 'number', key: number };
  if (ISO_DAY.test(run)) return { kind: 'date', key: run.slice(0, 10) };
  if (run.includes('@')) return { kind: 'address', key: keyOf(run) };
  return HAS_LETTER.test(run) || run.length > 3 ? { kind: 'code', key: keyOf(run) } : undefined;
}

function keyOf(run: string): string {
  return run.slice(0, MAX_KEY_LENGTH).toLowerCase();
}

/** Adds a run as a whole and in parts: `gift_card_22` is known if `gift card 22` was mentioned. */
function addWords(words: Set<string>, run: string): void {
  const lower = run.slice(0, MAX_KEY_LENGTH).toLowerCase();
  words.add(numberKey(lower) ?? lower);
  if (PLAIN_WORD.test(lower)) return;
  // The local part of an e-mail address is often its owner's name elsewhere.
  if (lower.includes('@')) words.add(lower.slice(0, lower.indexOf('@')));
  for (const part of lower.match(PART) ?? []) words.add(numberKey(part) ?? part);
}

/** Collects consecutive capitalized words: `Ada Lovelace`, `Bank of Norway`. A single word is no name. */
class NameReader {
  readonly #text: string;
  readonly #values: TextValue[];
  #words: string[] = [];
  #capitals = 0;
  #start = 0;
  #end = 0;

  constructor(text: string, values: TextValue[]) {
    this.#text = text;
    this.#values = values;
  }

  take(run: string, start: number, end: number): void {
    const follows = this.#words.length > 0 && start === this.#end + 1 && this.#text.charAt(this.#end) === ' ';
    const isCapital = CAPITALISED.test(run);
    if (!follows) this.close();
    if (isCapital || (follows && NAME_LINKS.has(run))) {
      if (this.#words.length === 0) this.#start = start;
      this.#words.push(run);
      if (isCapital) {
        this.#capitals += 1;
        this.#end = end;
      } else this.#end = end;
      if (this.#words.length > MAX_NAME_WORDS) this.close();
    } else this.close();
  }

  close(): void {
    if (this.#words.length === 0) return;
    while (NAME_LINKS.has(this.#words.at(-1) ?? '')) this.#words.pop();
    if (this.#capitals > 1) {
      const key = this.#words.join(' ').toLowerCase().slice(0, MAX_KEY_LENGTH);
      this.#values.push({ kind: 'name', key, start: this.#start, end: this.#end });
    }
    this.#words = [];
    this.#capitals = 0;
  }
}

/** Adds quoted texts that stay on one line and within a few words. */
function addQuoted(text: string, values: TextValue[]): void {
  for (let index = openingFrom(text, 0); index !== -1; index = openingFrom(text, index + 1)) {
    const closing = CLOSING[text.charAt(index)];
    if (closing === undefined || HAS_LETTER.test(text.charAt(index - 1))) continue;
    const end = closingAt(text, index + 1, closing);
    if (end === undefined) continue;
    const inner = text.slice(index + 1, end).trim();
    if (inner.length >= MIN_QUOTED_LENGTH && HAS_LETTER.test(inner)) {
      values.push({ kind: 'quoted', key: inner.toLowerCase(), start: index + 1, end });
    }
    index = end;
  }
}

const OPENING = /["“«`']/g;

function openingFrom(text: string, from: number): number {
  OPENING.lastIndex = from;
  return OPENING.exec(text)?.index ?? -1;
}

function closingAt(text: string, from: number, closing: string): number | undefined {
  const limit = Math.min(text.length, from + MAX_QUOTED_LENGTH);
  for (let index = from; index < limit; index += 1) {
    const character = text.charAt(index);
    if (character === '\n') return undefined;
    if (character === closing && !HAS_LETTER.test(text.charAt(index + 1))) return index;
  }
  return undefined;
}
