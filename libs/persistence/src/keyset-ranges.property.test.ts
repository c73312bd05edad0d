import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { CursorKey } from '@clew/kernel';
import { compareKeys, type KeysetSort } from './keyset.ts';
import { rangesBetween, type OrderedRange } from './keyset-ranges.ts';

const FIELDS = ['a', 'b', 'c'] as const;

const comparisons: Record<string, (value: number, limit: number) => boolean> = {
  $gt: (value, limit) => value > limit,
  $gte: (value, limit) => value >= limit,
  $lt: (value, limit) => value < limit,
  $lte: (value, limit) => value <= limit,
};

function isIn({ range }: OrderedRange, key: CursorKey): boolean {
  return Object.entries(range).every(([field, condition]) => {
    const value = Number(key[FIELDS.indexOf(field as 'a')]);
    if (typeof condition === 'number') return value === condition;
    return Object.entries(condition as Record<string, number>).every(([name, limit]) =>
      comparisons[name]!(value, limit),
    );
  });
}

const key = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 3, maxLength: 3 });
const orders = fc
  .array(fc.constantFrom(1, -1), { minLength: 3, maxLength: 3 })
  .map((directions): KeysetSort => FIELDS.map((field, index) => [field, directions[index] as 1 | -1]));

describe('rangesBetween', () => {
  it('holds what comes after one key, up to another one, each once and in order', () => {
    const property = fc.property(
      orders,
      fc.array(key, { maxLength: 30 }),
      fc.option(key, { nil: undefined }),
      fc.option(key, { nil: undefined }),
      (order, some, one, other) => {
        const [after, upTo] =
          one !== undefined && other !== undefined && compareKeys(order, one, other) > 0 ? [other, one] : [one, other];
        const sorted = some.toSorted((left, right) => compareKeys(order, left, right));
        const walked = rangesBetween(order, after, upTo).flatMap((range) => sorted.filter((each) => isIn(range, each)));
        const expected = sorted.filter(
          (each) =>
            (after === undefined || compareKeys(order, each, after) > 0) &&
            (upTo === undefined || compareKeys(order, each, upTo) <= 0),
        );
        expect(walked).toEqual(expected);
      },
    );
    fc.assert(property, { numRuns: 1_000 });
  });

  it('sorts each range by the fields that are not equal in it', () => {
    const order: KeysetSort = [
      ['a', -1],
      ['b', -1],
      ['c', 1],
    ];
    expect(rangesBetween(order, [2, 1, 0], undefined)).toEqual([
      { range: { a: 2, b: 1, c: { $gt: 0 } }, sort: order.slice(2) },
      { range: { a: 2, b: { $lt: 1 } }, sort: order.slice(1) },
      { range: { a: { $lt: 2 } }, sort: order },
    ]);
  });
});
