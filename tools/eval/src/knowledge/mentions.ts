const NUMBER_WORDS = [
  ...['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'],
];
const LONG_ENOUGH_FOR_A_PLURAL = 4;

/** Whether a text contains all numbers and names, ignoring number format, case and plurals. */
export function mentionsAll(text: string, mentions: readonly string[]): boolean {
  const words = wordsOf(text);
  return mentions.every((mention) => occursIn(words, wordsOf(mention)));
}

function occursIn(words: readonly string[], wanted: readonly string[]): boolean {
  return words.some((_, at) => wanted.every((word, offset) => words[at + offset] === word));
}

function wordsOf(text: string): string[] {
  const visible = text.normalize('NFKC').toLowerCase();
  return [...visible.matchAll(/\p{Nd}+(?:[.,_]\p{Nd}+)*|[\p{L}\p{M}]+/gu)].map(([word]) => comparable(word));
}

/**
 * Normal form of a word: numbers, including small number words, as digits without separators; other words without
 * plural.
 */
function comparable(word: string): string {
  if (/^\p{Nd}/u.test(word)) return word.replaceAll(/[.,_](?=\p{Nd}{3}(?!\p{Nd}))/gu, '');
  const number = NUMBER_WORDS.indexOf(word);
  if (number !== -1) return String(number);
  return word.length >= LONG_ENOUGH_FOR_A_PLURAL ? word.replace(/s$/, '') : word;
}
