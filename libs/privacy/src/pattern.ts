import { RE2JS } from 're2js';

/** Pattern in the syntax of RE2, whose matching time is linear for any text. */
export interface TextPattern {
  test(text: string): boolean;
  /** Finds the first match. */
  find(text: string): { start: number; end: number } | undefined;
  /** Finds the matches that are not empty, at most the given number. */
  all(text: string, limit: number): { start: number; end: number }[];
  /** Size of the compiled pattern, to which the time of a search is in proportion. */
  readonly programSize: number;
}

/** Maximum size of a compiled pattern: the cost of a search grows with it. */
const MAX_PROGRAM_SIZE = 2500;
const MAX_COMPILED = 500;

const compiled = new Map<string, TextPattern | Error>();

/** Compiles a pattern, or throws a `RangeError` with a reason that may be shown to its author. */
export function compilePattern(pattern: string): TextPattern {
  const known = compiled.get(pattern) ?? compile(pattern);
  // Evicts the least recently used pattern.
  compiled.delete(pattern);
  compiled.set(pattern, known);
  if (compiled.size > MAX_COMPILED) compiled.delete(compiled.keys().next().value ?? '');
  if (known instanceof Error) throw known;
  return known;
}

/** Returns the reason why a pattern cannot be used; undefined if it can. */
export function patternProblem(pattern: string): string | undefined {
  try {
    compilePattern(pattern);
    return undefined;
  } catch (error) {
    return error instanceof RangeError ? error.message : 'is no pattern in the syntax of RE2';
  }
}

function compile(pattern: string): TextPattern | Error {
  let program: RE2JS;
  try {
    program = RE2JS.compile(pattern);
  } catch (error) {
    return new RangeError(`is no pattern in the syntax of RE2: ${error instanceof Error ? error.message : ''}`);
  }
  const programSize = program.programSize();
  if (programSize > MAX_PROGRAM_SIZE) return new RangeError('repeats too much');
  return {
    programSize,
    test(text) {
      return program.test(text);
    },
    find(text) {
      const matcher = program.matcher(text);
      return matcher.find() ? { start: matcher.start(), end: matcher.end() } : undefined;
    },
    all(text, limit) {
      const found: { start: number; end: number }[] = [];
      if (!program.test(text)) return found;
      const matcher = program.matcher(text);
      while (found.length < limit && matcher.find()) {
        if (matcher.end() > matcher.start()) found.push({ start: matcher.start(), end: matcher.end() });
      }
      return found;
    },
  };
}
