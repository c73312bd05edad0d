import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { mergeOrdered } from './merge-ordered.ts';

const ordered = fc.array(fc.nat(20), { maxLength: 10 }).map((items) => items.toSorted((a, b) => a - b));

async function* from(items: readonly number[], onEnd: () => void) {
  try {
    yield* items;
  } finally {
    onEnd();
  }
}

describe('mergeOrdered', () => {
  it('gives all items of both, in order, and ends both also where it is left early', async () => {
    await fc.assert(
      fc.asyncProperty(ordered, ordered, fc.nat(20), async (some, others, taken) => {
        let ended = 0;
        const merged = mergeOrdered(
          from(some, () => (ended += 1)),
          from(others, () => (ended += 1)),
          (a, b) => a - b,
        );
        const seen: number[] = [];
        for await (const item of merged) {
          if (seen.length === taken) break;
          seen.push(item);
        }
        const all = [...some, ...others].toSorted((a, b) => a - b);
        expect(seen).toEqual(all.slice(0, taken));
        expect(ended).toBe(2);
      }),
    );
  });
});
