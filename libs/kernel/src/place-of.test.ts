import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { placeOf } from './place-of.ts';

describe('the place of a part', () => {
  it('is what indexOf says', () => {
    const piece = fc.constantFrom('a', 'b', 'ab', 'é', '東', '😀');
    const text = fc.array(piece, { maxLength: 600 }).map((pieces) => pieces.join(''));
    const repeated = fc.tuple(piece, fc.nat(700)).map(([some, times]) => some.repeat(times));
    const part = fc.tuple(repeated, text, repeated).map((parts) => parts.join(''));
    fc.assert(
      fc.property(part, fc.oneof(text, part), part, fc.nat(50), (sought, before, after, from) => {
        for (const whole of [before + after, before + sought + after, after.repeat(2)]) {
          expect(placeOf(whole, sought, from)).toBe(whole.indexOf(sought, from));
        }
      }),
      { numRuns: 500 },
    );
  });
});
