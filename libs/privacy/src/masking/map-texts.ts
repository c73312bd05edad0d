import { endOfString } from '@clew/kernel';

/** Mask of the texts in a value. */
export interface TextMap {
  /** Returns what takes the place of a text that is no JSON; `label` is the name of the member that holds it. */
  text(text: string, label: string): string;
  /** Returns what takes the place of a number as it is written; undefined if it stays. */
  number(written: string, label: string): string | undefined;
}

/** JSON within JSON within JSON: deeper text is read as plain text. */
const MAX_NESTED_TEXTS = 6;
/** Members of a value, which stays as it is below: what is taken nests no deeper than 128 levels. */
const MAX_DEPTH = 256;
const QUOTE = 34;
const MINUS = 45;
const ZERO = 48;
const NINE = 57;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;
const COLON = 58;
const COMMA = 44;
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/**
 * Maps all texts of a value: strings, numbers, names of members, and those within strings that are JSON. Returns the
 * value itself if nothing changes. JSON stays JSON, byte by byte except for what is replaced.
 */
export function mapValue(map: TextMap, value: unknown, label = '', depth = 0): unknown {
  if (typeof value === 'string') return mapString(map, value, label);
  if (typeof value === 'number') return Number.isSafeInteger(value) ? (map.number(String(value), label) ?? value) : value;
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return value;
  if (Array.isArray(value)) {
    const mapped = value.map((item) => mapValue(map, item, label, depth + 1));
    return mapped.some((item, index) => item !== value[index]) ? mapped : value;
  }
  return mapMembers(map, value, depth);
}

function mapMembers(map: TextMap, value: object, depth: number): object {
  const entries = Object.entries(value);
  const names = new Set<string>();
  let isSame = true;
  const mapped = entries.map(([name, member]): [string, unknown] => {
    const mappedName = unusedName(map.text(name, ''), names);
    names.add(mappedName);
    const mappedMember = mapValue(map, member, name, depth + 1);
    isSame &&= mappedName === name && mappedMember === member;
    return [mappedName, mappedMember];
  });
  return isSame ? value : Object.fromEntries(mapped);
}

/** Two names may have the same mask, and neither member is lost. */
function unusedName(name: string, used: ReadonlySet<string>): string {
  if (!used.has(name)) return name;
  for (let number = 2; ; number += 1) if (!used.has(`${name} ${number}`)) return `${name} ${number}`;
}

/** Maps a string: as JSON if it is an object, a list or a string of JSON, else as text. */
export function mapString(map: TextMap, text: string, label = '', nesting = 0): string {
  if (nesting < MAX_NESTED_TEXTS && isJson(text)) return mapJson(map, text, label, nesting);
  return map.text(text, label);
}

const JSON_START = /^\s{0,100}(?:\{|\[|"(?=.{0,100}\\))/su;

function isJson(text: string): boolean {
  if (text.length < 4 || !JSON_START.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

interface Level {
  readonly isObject: boolean;
  /** Name of the current member; of a list the name under which it stands. */
  label: string;
  isName: boolean;
  names: Set<string>;
}

function mapJson(map: TextMap, text: string, label: string, nesting: number): string {
  const levels: Level[] = [];
  let level: Level = { isObject: false, label, isName: false, names: new Set() };
  let mapped = '';
  let from = 0;
  const replace = (start: number, end: number, by: string) => {
    mapped += text.slice(from, start) + JSON.stringify(by);
    from = end;
  };
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) {
      const end = endOfString(text, index) + 1;
      const given = contentOf(text, index, end);
      if (level.isName) {
        const name = unusedName(map.text(given, ''), level.names);
        level.names.add(name);
        if (name !== given) replace(index, end, name);
        Object.assign(level, { label: given, isName: false });
      } else {
        const by = mapString(map, given, level.label, nesting + 1);
        if (by !== given) replace(index, end, by);
      }
      index = end - 1;
    } else if (code === MINUS || (code >= ZERO && code <= NINE)) {
      NUMBER.lastIndex = index;
      const [written = ' '] = NUMBER.exec(text) ?? [];
      const by = map.number(written, level.label);
      if (by !== undefined) replace(index, index + written.length, by);
      index += written.length - 1;
    } else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      levels.push(level);
      level = { isObject: code === OPEN_BRACE, label: level.label, isName: code === OPEN_BRACE, names: new Set() };
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      level = levels.pop() ?? level;
    } else if (code === COMMA) {
      level.isName = level.isObject;
    } else if (code === COLON) {
      level.isName = false;
    }
  }
  return from === 0 ? text : mapped + text.slice(from);
}

function contentOf(text: string, start: number, end: number): string {
  const raw = text.slice(start + 1, end - 1);
  return raw.includes('\\') ? (JSON.parse(text.slice(start, end)) as string) : raw;
}
