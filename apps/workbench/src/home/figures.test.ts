import { expect, it } from '@jest/globals';
import { changeText, figuresOf, formerShareText, homeWindows } from './figures.ts';

const point = { startMs: 0, latencyP50Ms: null, latencyP95Ms: null };

it('sums up a series, and has no share of nothing', () => {
  const points = [
    { ...point, conversations: 6, flagged: 3, errors: 0, inputTokens: 10, outputTokens: 5 },
    { ...point, conversations: 4, flagged: 0, errors: 1, inputTokens: 1, outputTokens: 1 },
  ];
  expect(figuresOf(points)).toEqual({ conversations: 10, flaggedShare: 0.3, errorShare: 0.1, tokens: 17 });
  expect(figuresOf([])).toEqual({ conversations: 0, flaggedShare: 0, errorShare: 0, tokens: 0 });
});

it('compares two windows that touch and are of one length', () => {
  const { now, before } = homeWindows(1_800_000_000_123, 7);
  expect(before.endMs).toBe(now.startMs);
  expect(now.endMs - now.startMs).toBe(before.endMs - before.startMs);
  expect(now.endMs).toBeGreaterThanOrEqual(1_800_000_000_123);
  expect(now.startMs % 3_600_000).toBe(0);
});

it.each([
  [118, 100, '18% more than before'],
  [50, 100, '50% less than before'],
  [5, 5, 'as many as before'],
  [5, 0, 'none in the days before'],
  [0, 0, 'none before'],
])('says of %d after %d: %s', (now, before, text) => {
  expect(changeText(now, before, 'en')).toBe(text);
});

it('says no share of a period without conversations', () => {
  const former = { conversations: 0, flaggedShare: 0, errorShare: 0, tokens: 0 };
  expect(formerShareText(former, 'errorShare', 7)).toBe('no conversations before');
  const some = { ...former, conversations: 8, flaggedShare: 0.125 };
  expect(formerShareText(some, 'flaggedShare', 7, 'en')).toBe('13% in the 7 days before');
});
