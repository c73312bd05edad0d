import type { Quote } from '@clew/contracts';
import { maskSecrets, secretsIn } from './secrets.ts';

/** Maximum length of a quote in evidence. */
export const MAX_QUOTE_LENGTH = 280;

const LONE_LOW_START = /^[\uDC00-\uDFFF]/;
const LONE_HIGH_END = /[\uD800-\uDBFF]$/;

/** Quote with its place in the content of a message, in UTF-16 code units. */
export interface PlacedQuote {
  readonly quote: string;
  readonly startChar: number;
  /** Exclusive. */
  readonly endChar: number;
}

/**
 * Returns an exact substring of `content` for evidence: the given range without outer white space, cut to
 * `MAX_QUOTE_LENGTH`, never inside a surrogate pair, and without secrets: if the range contains some, the longest part
 * without any. Undefined if nothing remains to quote.
 */
export function quoteOf(content: string, start?: number, end?: number): string | undefined {
  return placedQuoteOf(content, start, end)?.quote;
}

/** Returns the quote like `quoteOf`, with its place. */
export function placedQuoteOf(content: string, start = 0, end = content.length): PlacedQuote | undefined {
  // Trims only a short slice, so that the white space of a megabyte message is not scanned for every quote.
  const limit = Math.min(end, start + 4 * MAX_QUOTE_LENGTH);
  const [from, to] = withoutSecret(content, start, limit);
  const begun = content.slice(from, to).replace(LONE_LOW_START, '').trimStart();
  const quote = begun.slice(0, MAX_QUOTE_LENGTH).replace(LONE_HIGH_END, '').trimEnd();
  if (quote === '') return undefined;
  const startChar = Math.min(to, content.length) - begun.length;
  return { quote, startChar, endChar: startChar + quote.length };
}

/** Quote of a message's content as evidence names it. */
export function inContent({ quote, startChar, endChar }: PlacedQuote, messageIndex: number): Quote {
  return { quote, messageIndex, field: 'content', startChar, endChar };
}

/** Maximum length by which a secret may extend beyond either end of a range. */
const SECRET_REACH = 300;

function withoutSecret(content: string, start: number, end: number): readonly [number, number] {
  const offset = Math.max(0, start - SECRET_REACH);
  const secrets = secretsIn(content.slice(offset, end + SECRET_REACH));
  let best: readonly [number, number] = [start, secrets.length === 0 ? end : start];
  let from = start;
  for (const secret of [...secrets, { start: end - offset, end: end - offset }]) {
    const to = Math.min(end, offset + secret.start);
    if (to - from > best[1] - best[0]) best = [from, to];
    from = Math.max(from, offset + secret.end);
  }
  return best;
}

/** Quotes the last part of a content, for problems at its end. */
export function endQuoteOf(content: string, length = 160): PlacedQuote | undefined {
  return placedQuoteOf(content, Math.max(0, content.length - length));
}

/** Shortens a text for titles and summaries: one line, at most `length` characters, its secrets masked. */
export function shorten(text: string, length: number): string {
  // A text without secrets is checked once, since most titles and hints are the same for every conversation.
  const isKnown = plainTexts.has(text);
  if (isKnown && text.length <= length) return text;
  const shortened = shortenedOf(text, length);
  if (shortened === text && text.length <= MAX_PLAIN_LENGTH) remember(text);
  return shortened;
}

const MAX_PLAIN_LENGTH = 300;
const MAX_PLAIN_TEXTS = 2000;
const plainTexts = new Set<string>();

function remember(text: string): void {
  if (plainTexts.size >= MAX_PLAIN_TEXTS) plainTexts.clear();
  plainTexts.add(text);
}

function shortenedOf(text: string, length: number): string {
  const line = maskSecrets(text.slice(0, 4 * length))
    .replace(/\s+/g, ' ')
    .trim();
  if (line.length <= length) return line;
  return `${line
    .slice(0, length - 1)
    .replace(LONE_HIGH_END, '')
    .trimEnd()}…`;
}
