import type { Sentence, Token } from '../../text/sentences.ts';

const NUMBER_WORDS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');
const MAX_COUNT = 60;

/** Parses a count: a number that stands alone, not part of a date, an amount, an id or a list's numbering. */
export function countAt(content: string, token: Token): number | undefined {
  if (!/[\s(*]/.test(content.charAt(token.start - 1) || ' ')) return undefined;
  const word = NUMBER_WORDS.indexOf(token.text);
  const count = word === -1 ? Number(/^\d{1,2}$/.test(token.text) ? token.text : NaN) : word;
  return count >= 2 && count <= MAX_COUNT ? count : undefined;
}

/** Counts of a sentence, with the index of their words. */
export function countsIn(content: string, { tokens }: Sentence): { count: number; index: number }[] {
  return tokens.flatMap((token, index) => {
    const count = countAt(content, token);
    return count === undefined ? [] : [{ count, index }];
  });
}
