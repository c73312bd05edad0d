// eslint-disable-next-line no-control-regex -- they are what is looked for
const CONTROL_CHARACTER = /[\u0000-\u001f\u007f]/;

/** Whether a text holds a control character of ASCII: a name with one does not survive paths, headers and logs. */
export function hasControlCharacter(text: string): boolean {
  return CONTROL_CHARACTER.test(text);
}
