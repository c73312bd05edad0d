/** The longest text that evidence quotes. */
export const MAX_QUOTE_LENGTH = 280;

const LONE_LOW_START = /^[\uDC00-\uDFFF]/;
const LONE_HIGH_END = /[\uD800-\uDBFF]$/;

/**
 * An exact substring of `content` for evidence: the given range without outer white space, cut to
 * `MAX_QUOTE_LENGTH` and never inside a surrogate pair. Undefined where the range holds nothing to quote.
 */
export function quoteOf(content: string, start = 0, end = content.length): string | undefined {
  // Trimmed within a bounded slice: the white space of a megabyte message is not walked for every quote.
  const slice = content.slice(start, Math.min(end, start + 4 * MAX_QUOTE_LENGTH)).replace(LONE_LOW_START, '');
  const quote = slice.trimStart().slice(0, MAX_QUOTE_LENGTH).replace(LONE_HIGH_END, '').trimEnd();
  return quote === '' ? undefined : quote;
}

/** The last part of a content, for what went wrong at its end. */
export function endQuoteOf(content: string, length = 160): string | undefined {
  return quoteOf(content, Math.max(0, content.length - length));
}

/** A text for titles and summaries: one line, at most `length` characters. */
export function shorten(text: string, length: number): string {
  const line = text
    .slice(0, 4 * length)
    .replace(/\s+/g, ' ')
    .trim();
  if (line.length <= length) return line;
  return `${line
    .slice(0, length - 1)
    .replace(LONE_HIGH_END, '')
    .trimEnd()}…`;
}
