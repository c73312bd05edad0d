const CONTROL_CHARACTER = /[\p{Cc}--[\x80-\x9f]]/v;

/** Whether a text holds a control character of ASCII: a name with one does not survive paths, headers and logs. */
export function hasControlCharacter(text: string): boolean {
  return CONTROL_CHARACTER.test(text);
}
