import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { backoffMs } from './back-off.ts';

const failures = fc.integer({ min: 1, max: 10_000 });
const firstMs = fc.integer({ min: 1, max: 60_000 });
const maxMs = fc.integer({ min: 1, max: 3_600_000 });
const jitter = fc.nat(100).map((percent) => percent / 100);
const chance = fc.nat(100).map((percent) => percent / 100);

describe('the pause after failures in a row', () => {
  it('doubles from the first one', () => {
    const pauses = [1, 2, 3, 4, 5, 6, 7, 1_000].map((count) => backoffMs(count, { firstMs: 10, maxMs: 300 }));
    expect(pauses).toEqual([10, 20, 40, 80, 160, 300, 300, 300]);
  });

  it('is a number of milliseconds that is never more than the longest, whatever chance says', () => {
    fc.assert(
      fc.property(failures, firstMs, maxMs, jitter, chance, (count, first, max, spread, drawn) => {
        const pauseMs = backoffMs(count, { firstMs: first, maxMs: max, jitter: spread }, () => drawn);
        expect(pauseMs).toBeGreaterThanOrEqual(0);
        expect(pauseMs).toBeLessThanOrEqual(max);
      }),
    );
  });

  it('never becomes shorter with another failure', () => {
    fc.assert(
      fc.property(failures, firstMs, maxMs, jitter, chance, (count, first, max, spread, drawn) => {
        const after = (each: number) => backoffMs(each, { firstMs: first, maxMs: max, jitter: spread }, () => drawn);
        expect(after(count + 1)).toBeGreaterThanOrEqual(after(count));
      }),
    );
  });

  it('is spread by its jitter to both sides', () => {
    const pause = (drawn: number) => backoffMs(1, { firstMs: 1_000, maxMs: 10_000, jitter: 0.5 }, () => drawn);
    expect([pause(0), pause(0.5), pause(1)]).toEqual([500, 1_000, 1_500]);
  });
});
