import { expect, it } from '@jest/globals';
import { HEAD_ROWS, headAhead, newRowCount, newRowsText, NOTHING_AHEAD } from './new-rows.ts';

it('counts the first rows that a list does not have', () => {
  expect(newRowCount(headAhead(['c', 'b', 'a']), new Set(['a', 'b', 'z']))).toEqual({ count: 1, atLeast: false });
  expect(newRowCount(headAhead(['a']), new Set(['a']))).toEqual({ count: 0, atLeast: false });
});

it('says that there may be more where none of the first rows is known', () => {
  const head = Array.from({ length: HEAD_ROWS }, (_, at) => `new-${at}`);
  expect(newRowCount(headAhead(head), new Set(['a']))).toEqual({ count: HEAD_ROWS, atLeast: true });
  expect(newRowCount(headAhead(head), new Set(['new-24']))).toEqual({ count: HEAD_ROWS - 1, atLeast: false });
});

it('takes a count of the API as it is', () => {
  expect(newRowCount({ ...NOTHING_AHEAD, count: 10_000, atLeast: true }, new Set())).toEqual({
    count: 10_000,
    atLeast: true,
  });
});

it('says the number', () => {
  expect(newRowsText({ count: 7, atLeast: false }, 'new', 'en')).toBe('7 new');
  expect(newRowsText({ count: 25, atLeast: true }, 'new or seen again', 'en')).toBe('25+ new or seen again');
});
