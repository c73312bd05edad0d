/* eslint-disable no-control-regex -- Control characters are what these functions are about. */

/** Removes what would move the cursor or colour a terminal: texts come from strangers. Lines and tabs stay. */
export function printable(text: string): string {
  return text.replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '\ufffd');
}

/** Makes a text one line for a terminal. */
export function oneLine(text: string): string {
  return printable(text.replaceAll(/[\t\n\r]/g, ' '));
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/** Makes a text one field of tab-separated values. */
export function tsvField(text: string): string {
  return text.replaceAll(/[\\\t\n\r]/g, (character) => ESCAPES[character] ?? character);
}

/** Ranges of characters that take two places on a terminal. */
const WIDE: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0xa4cf],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x1f300, 0x1faff],
  [0x20000, 0x3fffd],
];

const MARK = /^[\p{Mn}\p{Me}\p{Cf}]$/u;

/** Counts the places that a text takes on a terminal. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += characterWidth(character);
  return width;
}

function characterWidth(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x300) return 1;
  if (MARK.test(character)) return 0;
  return WIDE.some(([from, to]) => code >= from && code <= to) ? 2 : 1;
}

/** Breaks lines between words where they are wider than a terminal; what goes on stands below the words of its line. */
export function wrapped(text: string, width: number): string {
  return text
    .split('\n')
    .map((line) => (widthOf(line) <= width ? line : brokenLine(line, width)))
    .join('\n');
}

function brokenLine(line: string, width: number): string {
  const [start = ''] = /^[ \t]*(?:- )?/.exec(line) ?? [];
  const indent = ' '.repeat(widthOf(start));
  const lines: string[] = [];
  let current = start;
  let isEmpty = true;
  for (const word of line.slice(start.length).split(' ')) {
    if (!isEmpty && widthOf(current) + 1 + widthOf(word) > width) {
      lines.push(current);
      current = indent;
      isEmpty = true;
    }
    current += isEmpty ? word : ` ${word}`;
    isEmpty = false;
  }
  return [...lines, current].join('\n');
}

/** Cuts a text to a width, with a sign that there is more. */
export function cutTo(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let cut = '';
  let used = 0;
  for (const character of text) {
    used += characterWidth(character);
    if (used > width - 1) break;
    cut += character;
  }
  return `${cut.trimEnd()}…`;
}
