import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { findLoops } from './find-loops.ts';

describe('findLoops', () => {
  it.each<readonly [string, ReturnType<typeof findLoops>]>([
    ['aab', []],
    ['aaa', [{ start: 0, period: 1, rounds: 3 }]],
    ['xaaaay', [{ start: 1, period: 1, rounds: 4 }]],
    ['ababab', [{ start: 0, period: 2, rounds: 3 }]],
    ['abab', []],
    ['abcabcabcx', [{ start: 0, period: 3, rounds: 3 }]],
    ['abcdabcdabcd', []],
    [
      'aaabcbcbc',
      [
        { start: 0, period: 1, rounds: 3 },
        { start: 3, period: 2, rounds: 3 },
      ],
    ],
  ])('%s', (keys, loops) => {
    expect(findLoops([...keys])).toEqual(loops);
  });

  it('reports nothing in a sequence without repeated steps', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string(), { maxLength: 200 }), (keys) => {
        expect(findLoops(keys)).toEqual([]);
      }),
    );
  });

  it('every loop that it reports is one: equal rounds, at least three, inside the sequence', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 60 }), (keys) => {
        for (const { start, period, rounds } of findLoops(keys)) {
          expect(rounds).toBeGreaterThanOrEqual(3);
          const steps = keys.slice(start, start + period * rounds);
          expect(steps).toHaveLength(period * rounds);
          expect(steps).toEqual(steps.map((_, index) => steps[index % period]));
        }
      }),
    );
  });
});
