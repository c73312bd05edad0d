const FIRST_OF_PAIRS = 0x10000;

/**
 * Removes the matching characters from the end of a text; `character` is a pattern of one of them. A pattern that ends
 * in `+$` would instead examine every run of them in the whole text, from each of its positions.
 */
export function withoutTrailing(text: string, character: RegExp): string {
  let end = text.length;
  while (end > 0) {
    const start = (text.codePointAt(end - 2) ?? 0) >= FIRST_OF_PAIRS ? end - 2 : end - 1;
    if (!character.test(text.slice(start, end))) break;
    end = start;
  }
  return text.slice(0, end);
}
