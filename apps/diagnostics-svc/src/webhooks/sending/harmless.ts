const MAX_WORDS = 300;
/** Characters that are not seen, or reorder others. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\u2028\u2029]/gu;
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
/** Character without width, which takes its effect from a sign before it. */
const BREAK = '\u200B';

/**
 * Takes every effect from words of others: Slack reads mentions, links and commands between angle brackets alone;
 * receivers that take its messages also read `@name`, Markdown, and addresses.
 */
export function harmless(words: string): string {
  return broken(oneLine(words).replace(/[&<>]/g, (sign) => ENTITIES[sign] ?? ''));
}

/** Takes every effect from words of others in a letter, whose readers make links of what looks like an address. */
export function harmlessInLetters(words: string): string {
  return broken(oneLine(words));
}

function oneLine(words: string): string {
  const line = words.toWellFormed().replace(/\s+/g, ' ').replace(INVISIBLE, '').trim();
  return line.length <= MAX_WORDS ? line : `${line.slice(0, MAX_WORDS - 1).toWellFormed()}…`;
}

function broken(line: string): string {
  return line.replace(/[@#!*_~`[\]()|\\]|:(?=\/)|(?<=[\p{L}\p{N}])\.(?=\p{L})/gu, `$&${BREAK}`);
}
