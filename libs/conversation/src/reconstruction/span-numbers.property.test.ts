import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SpanNumbers } from './span-numbers.ts';

/** Few values, so that they repeat, including both ends of the range of ids. */
const spanId = fc.oneof(
  fc.integer({ min: 0, max: 300 }).map((id) => id.toString(16).padStart(16, '0')),
  fc.integer({ min: 0, max: 300 }).map((id) => id.toString(16).padEnd(16, '0')),
  fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map((id) => id.toString(16).padStart(16, '0')),
  fc.constantFrom('f'.repeat(16), '0'.repeat(16), '00000000ffffffff', 'ffffffff00000000'),
);

it('each id has one number, in the order in which they were met, as a Map would tell', () => {
  fc.assert(
    fc.property(fc.array(spanId, { maxLength: 1_000 }), (ids) => {
      const numbers = new SpanNumbers();
      const known = new Map<string, number>();
      for (const id of ids) {
        expect(numbers.find(id)).toBe(known.get(id));
        if (!known.has(id)) known.set(id, known.size);
        expect(numbers.of(id)).toBe(known.get(id));
      }
      expect(numbers.size).toBe(known.size);
      for (const [id, number] of known) expect(numbers.find(id)).toBe(number);
    }),
    { numRuns: 300 },
  );
});
