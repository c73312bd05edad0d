import { endOfString, readJson } from '@clew/kernel';

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
const SPACE = 32;
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
  if (typeof value === 'number')
    return Number.isSafeInteger(value) ? (map.number(String(value), label) ?? value) : value;
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return value;
  if (Array.isArray(value)) {
    const mapped = value.map((item) => mapValue(map, item, label, depth + 1));
    return mapped.some((item, index) => item !== value[index]) ? mapped : value;
  }
  return mapMembers(map, value, depth);
}

function mapMembers(map: TextMap, value: object, depth: number): object {
  const entries = Object.entries(value);
  const names: Names = new Map();
  let isSame = true;
  const mapped = entries.map(([name, member]): [string, unknown] => {
    const mappedName = unusedName(map.text(name, ''), names);
    const mappedMember = mapValue(map, member, name, depth + 1);
    isSame &&= mappedName === name && mappedMember === member;
    return [mappedName, mappedMember];
  });
  return isSame ? value : Object.fromEntries(mapped);
}

/** Names of an object so far, each with the number that the next one with the same mask gets. */
type Names = Map<string, number>;

/** Returns the name, or one with a number if it is taken: two names may have the same mask, and no member is lost. */
function unusedName(name: string, used: Names): string {
  let unused = name;
  let number = used.get(name);
  if (number !== undefined) {
    while (used.has(`${name} ${number}`)) number += 1;
    unused = `${name} ${number}`;
    used.set(name, number + 1);
  }
  used.set(unused, 2);
  return unused;
}

/** Maps a string: as JSON if it is an object, a list or a string of JSON, else as text. */
export function mapString(map: TextMap, text: string, label = '', nesting = 0): string {
  const mapped = nesting < MAX_NESTED_TEXTS && JSON_START.test(text) ? mapJson(map, text, label, nesting) : undefined;
  return mapped ?? map.text(text, label);
}

const JSON_START = /^\s{0,100}(?:\{|\[|"(?=.{0,100}\\))/su;

interface Level {
  readonly isObject: boolean;
  /** Name of the current member; of a list the name under which it stands. */
  label: string;
  isName: boolean;
  /** Names so far, once two of them may be the same: when one was masked. */
  names: Names | undefined;
}

/** Maps the strings and numbers of a text of JSON; undefined if anything else stands in it. */
function mapJson(map: TextMap, text: string, label: string, nesting: number): string | undefined {
  const walk = new JsonWalk(map, text, label, nesting);
  try {
    return walk.run();
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

class JsonWalk {
  readonly #map: TextMap;
  readonly #text: string;
  readonly #nesting: number;
  readonly #levels: Level[] = [];
  #level: Level;
  #mapped = '';
  #from = 0;
  /** True after a value, which only a comma, a colon or a closing bracket can follow. */
  #isAfterValue = false;

  constructor(map: TextMap, text: string, label: string, nesting: number) {
    this.#map = map;
    this.#text = text;
    this.#nesting = nesting;
    this.#level = { isObject: false, label, isName: false, names: undefined };
  }

  run(): string | undefined {
    const text = this.#text;
    for (let index = 0; index < text.length; index += 1) {
      const code = text.charCodeAt(index);
      if (code <= SPACE) continue;
      if (code === COMMA || code === COLON) {
        if (!this.#isAfterValue) return undefined;
        this.#isAfterValue = false;
        this.#level.isName = code === COMMA && this.#level.isObject;
      } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
        const before = this.#levels.pop();
        if (before === undefined) return undefined;
        this.#level = before;
        this.#isAfterValue = true;
      } else {
        if (this.#isAfterValue) return undefined;
        if (code === OPEN_BRACE || code === OPEN_BRACKET) {
          const isObject = code === OPEN_BRACE;
          this.#levels.push(this.#level);
          this.#level = { isObject, label: this.#level.label, isName: isObject, names: undefined };
          continue;
        }
        const end = code === QUOTE ? this.#string(index) : this.#other(index);
        if (end === undefined) return undefined;
        this.#isAfterValue = true;
        index = end - 1;
      }
    }
    if (this.#levels.length > 0) return undefined;
    return this.#from === 0 ? text : this.#mapped + text.slice(this.#from);
  }

  /** Maps a string, and returns its end; undefined if it has none. */
  #string(start: number): number | undefined {
    const end = endOfString(this.#text, start) + 1;
    if (end > this.#text.length) return undefined;
    const given = contentOf(this.#text, start, end);
    const level = this.#level;
    if (level.isName) {
      const masked = this.#map.text(given, '');
      // Until a name is masked, or looks like a mask, names can stay as they are.
      if (masked !== given || given.startsWith('[')) level.names ??= new Map();
      const name = level.names === undefined ? masked : unusedName(masked, level.names);
      if (name !== given) this.#replace(start, end, name);
      level.label = given;
      level.isName = false;
    } else {
      const by = mapString(this.#map, given, level.label, this.#nesting + 1);
      if (by !== given) this.#replace(start, end, by);
    }
    return end;
  }

  /** Maps a number or passes over a word, and returns its end; undefined if it is neither. */
  #other(start: number): number | undefined {
    NUMBER.lastIndex = start;
    const [written] = NUMBER.exec(this.#text) ?? [];
    if (written === undefined) {
      const word = ['true', 'false', 'null'].find((one) => this.#text.startsWith(one, start));
      return word === undefined ? undefined : start + word.length;
    }
    const by = this.#map.number(written, this.#level.label);
    if (by !== undefined) this.#replace(start, start + written.length, by);
    return start + written.length;
  }

  #replace(start: number, end: number, by: string): void {
    this.#mapped += this.#text.slice(this.#from, start) + JSON.stringify(by);
    this.#from = end;
  }
}

function contentOf(text: string, start: number, end: number): string {
  const raw = text.slice(start + 1, end - 1);
  return raw.includes('\\') ? (readJson(text.slice(start, end)) as string) : raw;
}
