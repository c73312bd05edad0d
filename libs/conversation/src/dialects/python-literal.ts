import { MAX_JSON_DEPTH } from './limits.ts';

/** Position of the parser in a text. */
interface Cursor {
  text: string;
  at: number;
}

const WORDS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['True', true],
  ['False', false],
  ['None', null],
]);
const CLOSING: Readonly<Record<string, string>> = { '[': ']', '(': ')', '{': '}' };
const ESCAPES: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '\n': '',
};
const HEX_LENGTHS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

class NotALiteral extends Error {}

/**
 * Parses a Python literal (`{'q': 'a', 'all': True}`), which Python frameworks record in place of JSON; undefined for
 * any other text.
 */
export function parsePythonLiteral(text: string): unknown {
  const cursor = { text, at: 0 };
  try {
    const value = readValue(cursor, 0);
    skipSpace(cursor);
    return cursor.at === text.length ? value : undefined;
  } catch (error) {
    if (error instanceof NotALiteral) return undefined;
    throw error;
  }
}

function readValue(cursor: Cursor, depth: number): unknown {
  if (depth > MAX_JSON_DEPTH) throw new NotALiteral();
  skipSpace(cursor);
  const first = cursor.text.charAt(cursor.at);
  if (first === "'" || first === '"') return readString(cursor, first);
  if (first === '{') return Object.fromEntries(readItems(cursor, (inner) => readEntry(inner, depth)));
  if (first === '[' || first === '(') return readItems(cursor, (inner) => readValue(inner, depth + 1));
  return readWord(cursor);
}

function readItems<Item>(cursor: Cursor, readItem: (cursor: Cursor) => Item): Item[] {
  const closing = CLOSING[cursor.text.charAt(cursor.at)];
  const items: Item[] = [];
  cursor.at += 1;
  for (;;) {
    skipSpace(cursor);
    if (cursor.text.charAt(cursor.at) === closing) break;
    items.push(readItem(cursor));
    skipSpace(cursor);
    if (cursor.text.charAt(cursor.at) === ',') cursor.at += 1;
    else if (cursor.text.charAt(cursor.at) !== closing) throw new NotALiteral();
  }
  cursor.at += 1;
  return items;
}

function readEntry(cursor: Cursor, depth: number): [string, unknown] {
  const key = readValue(cursor, depth + 1);
  skipSpace(cursor);
  if (cursor.text.charAt(cursor.at) !== ':' || typeof key === 'object') throw new NotALiteral();
  cursor.at += 1;
  return [String(key), readValue(cursor, depth + 1)];
}

function readString(cursor: Cursor, quote: string): string {
  const pieces: string[] = [];
  cursor.at += 1;
  for (;;) {
    const start = cursor.at;
    while (cursor.at < cursor.text.length && cursor.text[cursor.at] !== quote && cursor.text[cursor.at] !== '\\')
      cursor.at += 1;
    pieces.push(cursor.text.slice(start, cursor.at));
    if (cursor.at >= cursor.text.length) throw new NotALiteral();
    cursor.at += 1;
    if (cursor.text[cursor.at - 1] === quote) return pieces.join('');
    pieces.push(readEscape(cursor));
  }
}

function readEscape(cursor: Cursor): string {
  const kind = cursor.text.charAt(cursor.at);
  cursor.at += 1;
  const length = HEX_LENGTHS[kind];
  if (length === undefined) return ESCAPES[kind] ?? `\\${kind}`;
  const digits = cursor.text.slice(cursor.at, cursor.at + length);
  const code = Number.parseInt(digits, 16);
  if (!/^[0-9a-fA-F]+$/.test(digits) || digits.length < length || code > 0x10ffff) throw new NotALiteral();
  cursor.at += length;
  return String.fromCodePoint(code);
}

const WORD = /[\w.+-]+/y;

function readWord(cursor: Cursor): unknown {
  WORD.lastIndex = cursor.at;
  const word = WORD.exec(cursor.text)?.[0] ?? '';
  cursor.at += word.length;
  if (WORDS.has(word)) return WORDS.get(word);
  const number = Number(word);
  if (word === '' || !Number.isFinite(number)) throw new NotALiteral();
  return number;
}

function skipSpace(cursor: Cursor): void {
  while (cursor.at < cursor.text.length && cursor.text.charCodeAt(cursor.at) <= 32) cursor.at += 1;
}
