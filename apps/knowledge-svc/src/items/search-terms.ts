import { normalised } from '@clew/kernel';

const WORD = /[\p{L}\p{N}\p{M}]+/gu;
const MAX_WORD_LENGTH = 60;
/** Maximum words of an item that are indexed; further words are not found. */
const MAX_TERMS = 500;

/** Distinct words of some texts, normalized in case and form. */
export function searchTermsOf(...texts: readonly string[]): string[] {
  const words = texts.flatMap((text) => normalised(text, 'NFKC').toLowerCase().match(WORD) ?? []);
  return [...new Set(words.map((word) => word.slice(0, MAX_WORD_LENGTH)))].slice(0, MAX_TERMS);
}
