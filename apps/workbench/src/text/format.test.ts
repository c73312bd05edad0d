import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  count,
  countAtLeast,
  counted,
  duration,
  percent,
  relativeTime,
  sentence,
  shortDay,
  shortHour,
} from './format.ts';

const NOW = Date.UTC(2026, 10, 27, 12);

describe('times', () => {
  it.each([
    [0, 'now'],
    [-30_000, 'now'],
    [-5 * 60_000, '5m ago'],
    [-3 * 3_600_000, '3h ago'],
    [-86_400_000, 'yesterday'],
    [2 * 86_400_000, 'in 2d'],
    [-400 * 86_400_000, 'last yr.'],
  ])('%d ms from now are %s', (differenceMs, shown) => {
    expect(relativeTime(NOW + differenceMs, NOW, 'en')).toBe(shown);
  });

  it.each([
    [12, '12 ms'],
    [2_449, '2.4 s'],
    [9_999, '9.9 s'],
    [42_900, '42 s'],
    [185_000, '3 min 5 s'],
    [7_440_000, '2 h 4 min'],
  ])('%d ms last %s', (lengthMs, shown) => {
    expect(duration(lengthMs)).toBe(shown);
  });

  it('never show sixty of a smaller unit', () => {
    fc.assert(fc.property(fc.nat(100_000_000), (lengthMs) => !/\b60(?:\.0)? (?:s|min)/.test(duration(lengthMs))));
  });
});

describe('numbers', () => {
  it('are whole up to 10,000, and compact beyond', () => {
    expect(count(9_876, 'en')).toBe('9,876');
    expect(count(12_345, 'en')).toBe('12.3K');
    expect(countAtLeast(10_000, true, 'en')).toBe('10K+');
    expect(counted(1, 'message', undefined, 'en')).toBe('1 message');
    expect(counted(2, 'message', undefined, 'en')).toBe('2 messages');
  });

  it('do not make a small share nothing', () => {
    expect(percent(0.004, 'en')).toBe('<1%');
    expect(percent(0, 'en')).toBe('0%');
    expect(percent(0.256, 'en')).toBe('26%');
  });
});

it('makes words of names in code', () => {
  expect(sentence('awaiting_verification')).toBe('Awaiting verification');
});

it('names a day, and an hour of it', () => {
  const atMs = Date.UTC(2026, 10, 24, 15);
  expect(shortDay(atMs, 'en-GB', 'UTC')).toBe('24 Nov');
  expect(shortHour(atMs, 'en-GB', 'UTC')).toBe('24 Nov, 15:00');
});
