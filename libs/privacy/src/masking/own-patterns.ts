import type { MaskingPattern } from '@clew/contracts';
import { compilePattern } from '../pattern.ts';
import { maskOfPattern } from './masks.ts';

/** Part of a text that is to be masked, and its mask. */
export interface MaskedPart {
  readonly start: number;
  readonly end: number;
  readonly mask: string;
}

/** Part of a text that is searched at once: a search takes time in proportion to it, once for each match. */
const PIECE_LENGTH = 10_000;
/** Length at the end of a piece that is searched again with the next one, so that no shorter match is cut. */
const OVERLAP = 500;
/** Matches of one pattern in a piece; the rest of a piece with more of them is masked as a whole. */
const MAX_MATCHES = 200;
/** Maximum size of a compiled own pattern, which limits the time of a search. */
const MAX_PROGRAM_SIZE = 1_000;

/** Returns the reason why a pattern cannot be used for masking; undefined if it can. */
export function maskingPatternProblem(pattern: string): string | undefined {
  try {
    const compiled = compilePattern(pattern);
    if (compiled.programSize > MAX_PROGRAM_SIZE) return 'repeats too much';
    return compiled.test('') ? 'matches empty text' : undefined;
  } catch (error) {
    return error instanceof RangeError ? error.message : 'is no pattern in the syntax of RE2';
  }
}

/** Finds the parts of a text that own patterns match. */
export function findOwn(text: string, patterns: readonly MaskingPattern[]): MaskedPart[] {
  return patterns.flatMap((pattern) => {
    const { all } = compilePattern(pattern.pattern);
    const mask = maskOfPattern(pattern);
    return piecesOf(text).flatMap(({ piece, from }) => {
      const found = all(piece, MAX_MATCHES);
      const last = found.at(-1);
      const rest = found.length < MAX_MATCHES || last === undefined ? [] : [{ start: last.end, end: piece.length }];
      return [...found, ...rest].map(({ start, end }) => ({ start: from + start, end: from + end, mask }));
    });
  });
}

function piecesOf(text: string): { piece: string; from: number }[] {
  const pieces = [];
  for (let from = 0; from < text.length; from += PIECE_LENGTH) {
    pieces.push({ piece: text.slice(from, from + PIECE_LENGTH + OVERLAP), from });
  }
  return pieces;
}
