import type { ErrorDetail } from './app-error.ts';
import { measureJson, type JsonMeasure } from './measure-json.ts';
import { readJson } from './read-json.ts';
import { scalarOf, stringOf, visitJson } from './visit-json.ts';

/** Deeper JSON than this is refused: MongoDB stores at most 100 levels, and nobody means to send it. */
export const MAX_JSON_DEPTH = 64;

export interface JsonLimits {
  maxDepth: number;
  /** What is parsed takes many times the memory of its text where its values are tiny. */
  maxValues?: number;
  /** Members of objects take many times the time of other values, most of all where no two have one name. */
  maxMembers?: number;
}

/** What a text holds and how many values that is, nested ones included; or what is wrong with it. */
export type StrictJson =
  | { value: unknown; valueCount: number }
  /** `isJson`: where it is, each problem has the path of its place (`payload.input.0`), else its path is empty. */
  | { problems: readonly [ErrorDetail, ...ErrorDetail[]]; isJson: boolean };

const MAX_PROBLEMS = 100;

/**
 * Parses JSON that must come back as it was sent: what would be changed without a word is a problem. That is a member
 * that its object holds twice, a number that overflows, and an integer beyond 2^53-1 either way: one that is written out,
 * and, however it is written, one that would be written out when it comes back. Other numbers are what they are to JSON
 * everywhere: the nearest double.
 */
export function parseStrictly(text: string, limits: JsonLimits): StrictJson {
  const measure = measureJson(text);
  const excess = excessOf(measure, limits);
  if (excess !== undefined) return noJson(excess);
  const { valueCount, memberCount } = measure;
  let value: unknown;
  try {
    value = readJson(text);
  } catch {
    return noJson('is not valid JSON');
  }
  // A parser drops a member that comes twice: then fewer are left than the text has.
  const kept: Survey = { memberCount: 0, areNumbersExact: true };
  survey(value, kept);
  if (kept.memberCount === memberCount && kept.areNumbersExact) return { value, valueCount };
  const [first, ...others] = problemsOf(text);
  return first === undefined ? { value, valueCount } : { problems: [first, ...others], isJson: true };
}

/** The limit that a text is beyond, in words, found before it is parsed; undefined where it keeps all. */
export function excessOf(
  { depth, valueCount, memberCount }: JsonMeasure,
  { maxDepth, maxValues = Infinity, maxMembers = Infinity }: JsonLimits,
): string | undefined {
  if (depth > maxDepth) return `nests deeper than ${maxDepth} levels`;
  if (valueCount > maxValues) return `holds more than ${maxValues} values`;
  return memberCount > maxMembers ? `holds more than ${maxMembers} members of objects` : undefined;
}

function noJson(message: string): StrictJson {
  return { problems: [{ path: '', message }], isJson: false };
}

interface Survey {
  memberCount: number;
  areNumbersExact: boolean;
}

/** Counts the members of all objects, and looks at all numbers. A value must nest no deeper than the stack allows. */
function survey(value: unknown, kept: Survey): void {
  if (typeof value === 'number') kept.areNumbersExact &&= isExact(value);
  else if (typeof value === 'object' && value !== null) surveyWithin(value, kept);
}

/** Apart from `survey`, so that what is no object costs no call. */
function surveyWithin(value: object, kept: Survey): void {
  if (Array.isArray(value)) {
    for (const entry of value) survey(entry, kept);
    return;
  }
  for (const name in value) {
    kept.memberCount += 1;
    survey((value as Record<string, unknown>)[name], kept);
  }
}

function isExact(value: number): boolean {
  return Math.abs(value) <= Number.MAX_SAFE_INTEGER;
}

/** An object or array that is read, and where in it. */
interface Reading {
  names: Set<string> | undefined;
  place: string | number;
}

/** Reads the text again, which takes a few times as long, for the places of what is wrong. */
function problemsOf(text: string): ErrorDetail[] {
  const problems: ErrorDetail[] = [];
  const open: Reading[] = [];
  const add = (message: string) => problems.push({ path: open.map(({ place }) => place).join('.'), message });
  const beginValue = () => {
    const within = open.at(-1);
    if (within !== undefined && within.names === undefined) within.place = (within.place as number) + 1;
  };
  const begin = (reading: Reading) => {
    beginValue();
    open.push(reading);
  };
  visitJson(text, {
    isDone: () => problems.length === MAX_PROBLEMS,
    beginObject: () => begin({ names: new Set(), place: '' }),
    beginArray: () => begin({ names: undefined, place: -1 }),
    end: () => void open.pop(),
    name(written) {
      const within = open.at(-1);
      const name = stringOf(written);
      if (within !== undefined) within.place = name;
      if (within?.names?.has(name) === true) add('is given twice');
      within?.names?.add(name);
    },
    value(written) {
      beginValue();
      const value = scalarOf(written);
      if (typeof value !== 'number' || isExact(value)) return;
      if (!Number.isFinite(value)) add('is beyond the range of a double');
      else if (!isFloat(value, written)) add(BEYOND_EXACT);
    },
  });
  return problems;
}

const BEYOND_EXACT = `must not be an integer beyond ${Number.MAX_SAFE_INTEGER} either way, which would be changed; a text can hold it`;

/** From here on numbers are written with an exponent, by callers as by us. */
const FIRST_WITH_EXPONENT = 1e21;

function isFloat(value: number, written: string): boolean {
  return Math.abs(value) >= FIRST_WITH_EXPONENT && /[.eE]/.test(written);
}
