import type { Sentence, Token } from '../../text/sentences.ts';

const NUMBER_WORDS = new Map(
  'zero one two three four five six seven eight nine ten eleven twelve'.split(' ').map((word, count) => [word, count]),
);
const ONE_OR_TWO_DIGITS = /^\d{1,2}$/;
const MAX_COUNT = 60;

/** Parses a count: a number that stands alone, not part of a date, an amount, an id or a list's numbering. */
export function countAt(content: string, token: Token): number | undefined {
  const { text } = token;
  const count = text.length <= 2 && ONE_OR_TWO_DIGITS.test(text) ? Number(text) : NUMBER_WORDS.get(text);
  if (count === undefined || count < 2 || count > MAX_COUNT) return undefined;
  return /[\s(*]/.test(content.charAt(token.start - 1) || ' ') ? count : undefined;
}

/** Counts of a sentence, with the index of their words. */
export function countsIn(content: string, { tokens }: Sentence): { count: number; index: number }[] {
  return tokens.flatMap((token, index) => {
    const count = countAt(content, token);
    return count === undefined ? [] : [{ count, index }];
  });
}
