import { expect, it } from '@jest/globals';
import { failureText, lastDays, modeOf, remainingShare } from './reviews.ts';

it('takes every other choice as the automatic mode', () => {
  expect(['auto', 'off', 'sampled', 'all', ''].map(modeOf)).toEqual([null, 'off', 'sampled', 'all', null]);
});

it('says the interval, or that nobody can tell', () => {
  const rate = { rate: 0.2, low: 0.12, high: 0.3, reviewed: 40, of: 900, model: 'm' };
  expect(failureText(rate)).toBe('Between 12% and 30% with 95% confidence: 40 were read for 900 conversations.');
  expect(failureText({ ...rate, rate: null, reviewed: 0 })).toContain('nobody can tell');
});

it('says what clean conversations show', () => {
  expect([3, 10, 20, 100].map((each) => Math.round(remainingShare(each) * 100))).toEqual([63, 26, 14, 3]);
});

it('ends days at a whole hour', () => {
  const hour = 3_600_000;
  expect(lastDays(1, 30 * hour + 5)).toEqual({ startMs: 7 * hour, endMs: 31 * hour });
});
