import type { ExamplePayload } from '@clew/contracts';
import { addTexts } from './example-signature.ts';

const WORD = /[\p{L}\p{N}]+/gu;
const MIN_LENGTH = 2;
const MAX_LENGTH = 40;
/** Maximum number of words that one Example is found by: each costs an entry in the index. */
const MAX_TERMS = 64;
/** Maximum number of characters that are searched for words. */
const MAX_CHARACTERS = 20_000;

/** Distinct words of an Example, in lower case, in the order of their first use. */
export function exampleTerms(payload: ExamplePayload): string[] {
  const terms = new Set<string>();
  let characters = 0;
  addTexts(payload, (text) => {
    if (characters >= MAX_CHARACTERS || terms.size >= MAX_TERMS) return;
    const part = text.slice(0, MAX_CHARACTERS - characters);
    characters += part.length;
    for (const word of wordsOf(part)) {
      terms.add(word);
      if (terms.size >= MAX_TERMS) return;
    }
  });
  return [...terms];
}

/** Words of a search text, as they are stored with Examples. */
export function searchTerms(text: string): string[] {
  return [...new Set(wordsOf(text))];
}

function* wordsOf(text: string): Generator<string, undefined> {
  for (const [word] of text.toLowerCase().matchAll(WORD)) {
    if (word.length >= MIN_LENGTH && word.length <= MAX_LENGTH) yield word;
  }
}
