import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { BUCKETS } from '../conversations/index.ts';
import { FigureSums, NUMBERS } from './figure-sums.ts';
import { addPacked, packFigures } from './packed-figures.ts';

const number = fc.oneof(fc.maxSafeNat(), fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }));
const sums = fc
  .record({
    numbers: fc.array(number, { minLength: NUMBERS.length, maxLength: NUMBERS.length }),
    latency: fc.uniqueArray(fc.tuple(fc.nat({ max: BUCKETS - 1 }), fc.maxSafeNat()), {
      selector: ([bucket]) => bucket,
    }),
  })
  .map(({ numbers, latency }) => {
    const made = new FigureSums();
    for (const [index, name] of NUMBERS.entries()) made[name] = numbers[index] ?? 0;
    for (const [bucket, count] of latency) made.latency[bucket] = count;
    return made;
  });
const day = fc.uniqueArray(fc.tuple(fc.nat({ max: 23 }), sums), { selector: ([hour]) => hour });

describe('packed figures', () => {
  it('are what was packed, to the last digit', () => {
    fc.assert(
      fc.property(day, (hours) => {
        const read = new Map<number, FigureSums>();
        addPacked(packFigures(hours), (hour) => {
          read.set(hour, new FigureSums());
          return read.get(hour);
        });
        expect(read).toEqual(new Map(hours));
      }),
    );
  });

  it('are added to what there is, and passed over where nobody asks for the hour', () => {
    fc.assert(
      fc.property(sums, sums, (one, other) => {
        const bytes = packFigures([
          [3, one],
          [4, other],
        ]);
        const sum = new FigureSums();
        addPacked(bytes, (hour) => (hour === 4 ? sum : undefined));
        expect(sum).toEqual(other);
        addPacked(bytes, (hour) => (hour === 4 ? sum : undefined));
        expect(sum.conversations).toBe(other.conversations * 2);
        expect([...sum.latency]).toEqual([...other.latency].map((count) => count * 2));
      }),
    );
  });
});
