/** Escape of JSON, with more backslashes where it is JSON within JSON. */
const ESCAPE = /(?<!\\)\\{1,16}(?:["/bfnrt]|u[0-9a-f]{4})/gi;
const CODE = /u[0-9a-f]{4}$/i;

const DIGIT = /\d/;

/** Tells whether a text has a digit: most of what is replaced does. */
export function hasDigit(text: string): boolean {
  return DIGIT.test(text);
}

/**
 * Reads the escapes of JSON in a text, so that a word does not begin with the n of `\n`. Each escape becomes as many
 * characters as it is written with: places in the result are places in the text.
 */
export function searchable(text: string): string {
  return text.includes('\\') ? text.replace(ESCAPE, read) : text;
}

function read(escape: string): string {
  if (escape.endsWith('"')) return '"'.repeat(escape.length);
  const code = CODE.exec(escape)?.[0].slice(1);
  if (code === undefined) return `${' '.repeat(escape.length - 1)}\n`;
  const letter = String.fromCharCode(Number.parseInt(code, 16));
  // A letter is repeated, so that the word around it stays one word.
  return (/\p{L}/u.test(letter) ? letter : ' ').repeat(escape.length);
}
