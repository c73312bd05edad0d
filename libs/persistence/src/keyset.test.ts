import { describe, expect, it } from '@jest/globals';
import { compareKeys, keysetFilter, keysetKey, type KeysetSort } from './keyset.ts';

const NEWEST_FIRST: KeysetSort = [
  ['createdAt', -1],
  ['_id', -1],
];

describe('keysetFilter', () => {
  it('bounds the first field and says what comes after the key within equal ones', () => {
    expect(keysetFilter(NEWEST_FIRST, [5, 'b'])).toEqual({
      $and: [{ createdAt: { $lte: 5 } }, { $or: [{ createdAt: { $lt: 5 } }, { createdAt: 5, _id: { $lt: 'b' } }] }],
    });
  });

  it('refuses a key that has another number of values than the order', () => {
    expect(() => keysetFilter(NEWEST_FIRST, [5])).toThrow(RangeError);
    expect(() => keysetFilter([], [])).toThrow(RangeError);
  });
});

describe('keysetKey', () => {
  it('takes the sort fields of a document, dates as epoch milliseconds', () => {
    expect(keysetKey(NEWEST_FIRST, { _id: 'a', createdAt: new Date(7), other: true })).toEqual([7, 'a']);
  });

  it('refuses a document that lacks a sort field', () => {
    expect(() => keysetKey(NEWEST_FIRST, { _id: 'a' })).toThrow('createdAt');
  });
});

describe('compareKeys', () => {
  it('orders by the first field that differs, each in its direction', () => {
    expect(compareKeys(NEWEST_FIRST, [5, 'a'], [4, 'b'])).toBeLessThan(0);
    expect(compareKeys(NEWEST_FIRST, [5, 'a'], [5, 'b'])).toBeGreaterThan(0);
    expect(compareKeys(NEWEST_FIRST, [5, 'a'], [5, 'a'])).toBe(0);
  });

  it('orders texts by their UTF-8 bytes, as the database does', () => {
    expect(compareKeys([['label', 1]], ['\u{1F600}'], ['\uFFFD'])).toBeGreaterThan(0);
  });
});
