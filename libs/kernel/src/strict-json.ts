import type { ErrorDetail } from './app-error.ts';
import { measureJson, type JsonMeasure } from './measure-json.ts';
import { readJson } from './read-json.ts';
import { scalarOf, stringOf, visitJson } from './visit-json.ts';

/** Maximum depth of JSON: MongoDB stores at most 100 levels, and nobody sends deeper JSON on purpose. */
export const MAX_JSON_DEPTH = 64;

export interface JsonLimits {
  maxDepth: number;
  /** Limit of values: tiny values take many times the memory of their text. */
  maxValues?: number;
  /** Limit of object members: they take many times the time of other values, most of all if all names differ. */
  maxMembers?: number;
}

/** Parsed value with the number of values, nested ones included; or its problems. */
export type StrictJson =
  | { value: unknown; valueCount: number }
  /** With `isJson`, each problem has the path of its place (`payload.input.0`); otherwise its path is empty. */
  | { problems: readonly [ErrorDetail, ...ErrorDetail[]]; isJson: boolean };

const MAX_PROBLEMS = 100;

/**
 * Parses JSON that must come back unchanged: silent changes are problems. These are a repeated member of an object, a
 * number that overflows, and an integer beyond 2^53-1 in either direction: one that is written out in full, and one in
 * any notation that would be written out in full on output. Other numbers have their usual JSON meaning: the nearest
 * double.
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
  // A parser drops a repeated member, so that fewer members remain than the text has.
  const kept: Survey = { memberCount: 0, areNumbersExact: true };
  survey(value, kept);
  if (kept.memberCount === memberCount && kept.areNumbersExact) return { value, valueCount };
  const [first, ...others] = problemsOf(text);
  return first === undefined ? { value, valueCount } : { problems: [first, ...others], isJson: true };
}

/** Describes the limit that a text exceeds, before it is parsed; undefined if it exceeds none. */
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

/** Counts the members of all objects and checks all numbers. The value must nest no deeper than the stack allows. */
function survey(value: unknown, kept: Survey): void {
  if (typeof value === 'number') kept.areNumbersExact &&= isExact(value);
  else if (typeof value === 'object' && value !== null) surveyWithin(value, kept);
}

/** Separate from `survey`, so that scalars cost no call. */
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

/** Object or array being read, and the current place in it. */
interface Reading {
  names: Set<string> | undefined;
  place: string | number;
}

/** Reads the text again, which takes a few times as long, to find the places of the problems. */
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

/** Magnitude from which numbers are written with an exponent, by callers and by JavaScript. */
const FIRST_WITH_EXPONENT = 1e21;

function isFloat(value: number, written: string): boolean {
  return Math.abs(value) >= FIRST_WITH_EXPONENT && /[.eE]/.test(written);
}
