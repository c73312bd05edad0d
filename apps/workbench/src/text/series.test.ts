import { expect, it } from '@jest/globals';
import { filled } from './series.ts';

const window = { startMs: 100, endMs: 140, intervalMs: 10 };
const nothing = (startMs: number) => ({ startMs, value: 0 });

it('fills the gaps of a series, in order', () => {
  expect(filled(window, [{ startMs: 120, value: 7 }], nothing)).toEqual([
    { startMs: 100, value: 0 },
    { startMs: 110, value: 0 },
    { startMs: 120, value: 7 },
    { startMs: 130, value: 0 },
  ]);
});

it('takes a point for the interval in which it begins, and leaves out those outside', () => {
  const points = [
    { startMs: 95, value: 1 },
    { startMs: 114, value: 2 },
    { startMs: 140, value: 3 },
  ];
  expect(filled(window, points, nothing).map(({ value }) => value)).toEqual([0, 2, 0, 0]);
});
