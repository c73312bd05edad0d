const CONTROL_CHARACTER = /[\p{Cc}--[\x80-\x9f]]/v;

/** Tells whether a text contains an ASCII control character: such a name does not survive paths, headers and logs. */
export function hasControlCharacter(text: string): boolean {
  return CONTROL_CHARACTER.test(text);
}
