import { describe, expect, it } from '@jest/globals';
import { cursorWithout, extended, moved, toggled } from './selection.ts';

const IDS = ['a', 'b', 'c', 'd'];

describe('the cursor of a list', () => {
  it.each([
    [null, 'next', 'a'],
    [null, 'previous', 'a'],
    ['a', 'next', 'b'],
    ['a', 'previous', 'a'],
    ['d', 'next', 'd'],
    ['b', 'last', 'd'],
    ['c', 'first', 'a'],
    ['gone', 'next', 'a'],
  ] as const)('moves from %s to the %s, which is %s', (cursor, move, target) => {
    expect(moved(IDS, cursor, move)).toBe(target);
  });

  it('is nowhere in an empty list', () => {
    expect(moved([], 'a', 'next')).toBeNull();
  });

  it('goes to the next row that stays, else to the last one before', () => {
    expect(cursorWithout(IDS, 'b', new Set(['b', 'c']))).toBe('d');
    expect(cursorWithout(IDS, 'c', new Set(['c', 'd']))).toBe('b');
    expect(cursorWithout(IDS, 'b', new Set(['a']))).toBe('b');
    expect(cursorWithout(IDS, 'b', new Set(IDS))).toBeNull();
  });
});

describe('the selection of a list', () => {
  it('takes a row, and leaves it out again', () => {
    const once = toggled(new Set(), 'a');
    expect([...once]).toEqual(['a']);
    expect([...toggled(once, 'a')]).toEqual([]);
  });

  it('goes on with the cursor', () => {
    const state = extended(IDS, { cursor: 'b', selected: new Set(['a']) }, 'next');
    expect(state.cursor).toBe('c');
    expect([...state.selected]).toEqual(['a', 'b', 'c']);
  });
});
