import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { allMatches } from './index.ts';

const PATTERNS = [/a/g, /a*/g, /(?<first>[ab])b?/g, /\b/g, /\p{L}+/gu, /(?:)/gu, /.(?=b)/gsu, /B/gi];
const text = fc.string({ unit: fc.constantFrom('a', 'b', 'B', ' ', 'é', '😀', '\n') });

describe('all matches of a pattern', () => {
  it('are those of matchAll, with their places and groups', () => {
    fc.assert(
      fc.property(text, fc.constantFrom(...PATTERNS), (given, pattern) => {
        expect([...allMatches(given, pattern)]).toEqual([...given.matchAll(pattern)]);
      }),
    );
  });

  it('are found by searches with the same pattern within each other, of which some end early', () => {
    fc.assert(
      fc.property(text, text, fc.constantFrom(...PATTERNS), (outer, inner, pattern) => {
        const found: RegExpExecArray[] = [];
        for (const match of allMatches(outer, pattern)) {
          found.push(match);
          for (const _first of allMatches(inner, pattern)) break;
        }
        expect(found).toEqual([...outer.matchAll(pattern)]);
      }),
    );
  });

  it('need a global pattern, as those of matchAll do', () => {
    expect(() => [...allMatches('a', /a/)]).toThrow(TypeError);
  });
});
