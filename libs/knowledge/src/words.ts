/** Splits a folded text into words; a word may hold apostrophes, hyphens, dots and addresses. */
export function wordsOf(folded: string): string[] {
  return folded.replaceAll('’', "'").match(/[\p{L}\p{Nd}]+(?:['_@.-][\p{L}\p{Nd}]+)*/gu) ?? [];
}
