/** Run of marks, including the two letters that decompose into marks. No script has more than thirty in a row. */
const LONG_RUN_OF_MARKS = /[[\p{M}\uff9e\uff9f]--\u034f]{30}(?=[[\p{M}\uff9e\uff9f]--\u034f])/gv;
const ASCII_ONLY = /^[\0-\x7f]*$/;
/** COMBINING GRAPHEME JOINER; marks are not sorted across it. */
const JOINER = '\u034f';

/**
 * Normalizes a text to a Unicode form in time linear in its length: marks are sorted within runs of thirty, because
 * sorting a run takes time that grows with its square. Texts without longer runs are the same as from `normalize`.
 */
export function normalised(text: string, form: 'NFC' | 'NFD' | 'NFKC'): string {
  // In every form, a plain text is itself.
  if (isAscii(text)) return text;
  return text.replace(LONG_RUN_OF_MARKS, `$&${JOINER}`).normalize(form);
}

/** Tells whether a text is ASCII alone, so that work on other characters can be left out. */
export function isAscii(text: string): boolean {
  return ASCII_ONLY.test(text);
}
