/** Texts of about a megabyte that drive careless patterns into quadratic or exponential time. */
export const HOSTILE_LENGTH = 1_000_000;
/** Far above what linear work takes on a busy machine, and far below what quadratic work takes on an idle one. */
export const HOSTILE_LIMIT_MS = 15_000;

const PIECES: readonly string[] = [
  'a',
  '0',
  ' ',
  '-',
  '_',
  '.',
  '/',
  '\\',
  '"',
  "'",
  '`',
  '“',
  '«',
  '@',
  ':',
  '<',
  '(',
  '{',
  '[',
  ')',
  '$',
  '\n',
  '?',
  '!',
  '😀',
  'a@',
  '1,',
  '1.',
  "'a ",
  ' "',
  '“a ',
  'a/',
  '://',
  'deadbeef',
  '<*>',
  '<*>, ',
  'May ',
  '5 May ',
  '```\n',
  '{"a":',
  '\\"',
  'Error: ',
  'no ',
  'that is ',
  'i said ',
  'your order number ',
  'a? ',
  "a'b ",
  'é',
  '½',
  '0x',
  '%',
  'A.b.',
  'a-b-',
];

/** One text for each piece, which it repeats up to the length. */
export function hostileTexts(length = HOSTILE_LENGTH): (readonly [string, string])[] {
  return PIECES.map((piece) => [
    JSON.stringify(piece),
    piece.repeat(Math.ceil(length / piece.length)).slice(0, length),
  ]);
}
