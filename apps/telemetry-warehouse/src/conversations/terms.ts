const WORD = /[\p{L}\p{N}]+/gu;
const MIN_LENGTH = 2;
const MAX_LENGTH = 40;
/** Maximum number of words that are indexed for one conversation. */
const MAX_TERMS = 1_000;
/** Maximum number of characters that are searched for words. */
const MAX_CHARACTERS = 200_000;

/** Distinct words of some texts, in lower case, in the order of their first use. */
export function termsOf(texts: readonly string[]): string[] {
  const terms = new Set<string>();
  let characters = 0;
  for (const text of texts) {
    const part = text.slice(0, MAX_CHARACTERS - characters);
    characters += part.length;
    for (const [word] of part.toLowerCase().matchAll(WORD)) {
      if (word.length >= MIN_LENGTH && word.length <= MAX_LENGTH) terms.add(word);
      if (terms.size >= MAX_TERMS) return [...terms];
    }
    if (characters >= MAX_CHARACTERS) break;
  }
  return [...terms];
}
