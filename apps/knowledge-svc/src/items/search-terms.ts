import { normalised } from '@clew/kernel';

const WORD = /[\p{L}\p{N}\p{M}]+/gu;
const MAX_WORD_LENGTH = 60;
/** More words than this of one item are not looked for. */
const MAX_TERMS = 500;

/** The words of some texts, made alike in case and form, each once. */
export function searchTermsOf(...texts: readonly string[]): string[] {
  const words = texts.flatMap((text) => normalised(text, 'NFKC').toLowerCase().match(WORD) ?? []);
  return [...new Set(words.map((word) => word.slice(0, MAX_WORD_LENGTH)))].slice(0, MAX_TERMS);
}
