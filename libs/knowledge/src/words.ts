/**
 * Splits a folded text into words; a word may hold apostrophes, hyphens, dots and addresses. A run of more than a
 * thousand letters becomes several: without a bound, a pattern that knows Unicode keeps so much for each letter that one
 * of four million exceeds its memory.
 */
export function wordsOf(folded: string): string[] {
  return folded.replaceAll('’', "'").match(/[\p{L}\p{Nd}]{1,999}(?:['_@.-][\p{L}\p{Nd}]{1,999}){0,99}/gu) ?? [];
}
