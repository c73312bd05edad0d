/** Marks, and the two letters that decompose into some. More than thirty in a row belong to no writing. */
const LONG_RUN_OF_MARKS = /[[\p{M}\uff9e\uff9f]--\u034f]{30}(?=[[\p{M}\uff9e\uff9f]--\u034f])/gv;
/** COMBINING GRAPHEME JOINER, across which no marks are sorted. */
const JOINER = '\u034f';

/**
 * A text in a normal form of Unicode, in time that is linear in its length: marks are sorted within runs of thirty,
 * since to sort a run takes time that grows with its square. Texts without longer runs are as `normalize` gives them.
 */
export function normalised(text: string, form: 'NFC' | 'NFD' | 'NFKC'): string {
  return text.replace(LONG_RUN_OF_MARKS, `$&${JOINER}`).normalize(form);
}
