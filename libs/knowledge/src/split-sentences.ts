import { withoutTrailing } from '@clew/kernel';
import type { TextRange } from './quote-lock.ts';

/** JSON string, with its closing quote, if any; a colon follows if it is a key. */
const JSON_STRING = /"([^"\\]*(?:\\.[^"\\]*)*)("(\s*:)?)?/g;
const LOOKS_LIKE_JSON = /^\s*[[{]/;
/** Marks of a list entry, or the opening of a quotation, before a sentence. */
const BEFORE_SENTENCE = /^(?:\s|[-*•>#"“]|\d{1,2}[.)]\s)+/;
const AFTER_SENTENCE = /[\s"”]/;
/**
 * End of a sentence: the next text begins with a capital, a digit or a quote, so a full stop in `v2.5` or `e.g. this`
 * does not count.
 */
const ENDS = /(?<![.!?])[.!?]+["”)]*(?=\s+["“(]?[\p{Lu}\p{Nd}])|\n+/gu;
const NO_END = /\b(?:e\.g|i\.e|etc|vs|no|mr|mrs|ms|dr|st|approx)\.$/i;

/**
 * Finds the sentences of a part of a text, in UTF-16 code units, without list marks and surrounding white space. In
 * JSON, only string values without escapes are examined.
 */
export function splitSentences(text: string, { start, end }: TextRange): TextRange[] {
  const shown = text.slice(start, end);
  const pieces = LOOKS_LIKE_JSON.test(text) ? plainValuesOf(shown) : [{ from: 0, value: shown }];
  return pieces.flatMap(({ from, value }) =>
    sentencesOf(value).map((range) => ({ start: start + from + range.start, end: start + from + range.end })),
  );
}

/** Finds the JSON strings without escapes, whose content can be quoted as written. */
function plainValuesOf(json: string): { from: number; value: string }[] {
  return [...json.matchAll(JSON_STRING)].flatMap(({ index, 1: value = '', 2: end, 3: isKey }) =>
    end !== undefined && isKey === undefined && !value.includes('\\') ? [{ from: index + 1, value }] : [],
  );
}

function sentencesOf(text: string): TextRange[] {
  const found: TextRange[] = [];
  let from = 0;
  for (const { index, 0: mark } of text.matchAll(ENDS)) {
    const to = index + (mark.startsWith('\n') ? 0 : mark.length);
    if (NO_END.test(text.slice(Math.max(0, to - 8), to))) continue;
    found.push({ start: from, end: to });
    from = index + mark.length;
  }
  found.push({ start: from, end: text.length });
  return found.map((range) => trimmed(text, range)).filter(({ start, end }) => end > start);
}

function trimmed(text: string, { start, end }: TextRange): TextRange {
  const sentence = text.slice(start, end);
  const before = BEFORE_SENTENCE.exec(sentence)?.[0].length ?? 0;
  const words = withoutTrailing(sentence.slice(before), AFTER_SENTENCE);
  return { start: start + before, end: start + before + words.length };
}
