import type { Sentence } from '../text/sentences.ts';

/** Stem of a word without its ending: `cancelling`, `cancellation` and `cancelled` have `cancel`. */
export function stemOf(word: string): string {
  const bare = word
    .replace(/(?:ations?|ments?|ings?|ions?|ied|ies|ed|es|als?|(?<!s)s|e)$/, '')
    .replace(/([bdglmnprt])\1$/, '$1')
    .replace(/[eiy]$/, '');
  return bare.length >= 3 ? bare : word;
}

/** Collects the stems of all words of some sentences. */
export function stemsOf(sentences: readonly Sentence[]): Set<string> {
  return new Set(sentences.flatMap(({ tokens }) => tokens.map((token) => stemOf(token.text))));
}
