import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { inParts } from './in-parts.ts';

const MAX_SIZE = 100;
const sum = (sizes: readonly number[]) => sizes.reduce((total, size) => total + size, 0);

it('keeps every entry, in its order, in parts that are as full as they may be', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(150)), (sizes) => {
      const parts = inParts(sizes, (size) => size, MAX_SIZE);
      expect(parts.flat()).toEqual(sizes);
      for (const [index, part] of parts.entries()) {
        expect(part.length === 1 || sum(part) <= MAX_SIZE).toBe(true);
        const next = parts[index + 1]?.[0];
        if (next !== undefined) expect(sum(part) + next).toBeGreaterThan(MAX_SIZE);
      }
    }),
  );
});
