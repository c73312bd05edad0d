import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { blocked, FREE, waitOf, withCreation, type Pace } from './pace.ts';

/** Times of creations at GitHub by a caller that waits as long as it is told to, and no longer. */
function creationsAfter(pausesMs: readonly number[]): number[] {
  let [pace, nowMs]: [Pace, number] = [FREE, 1_000];
  return pausesMs.map((pauseMs) => {
    nowMs += pauseMs;
    let counted = withCreation(pace, 'github', nowMs);
    while ('waitMs' in counted) {
      nowMs += counted.waitMs;
      counted = withCreation(pace, 'github', nowMs);
    }
    pace = counted.pace;
    return nowMs;
  });
}

function mostWithin(times: readonly number[], spanMs: number): number {
  return Math.max(...times.map((start) => times.filter((time) => time >= start && time < start + spanMs).length));
}

describe('the pace of creations', () => {
  it('is at most 80 a minute and 500 an hour at GitHub, whatever is asked for', () => {
    const pauses = fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 120_000 })), {
      ...{ minLength: 100, maxLength: 700, size: 'max' as const },
    });
    fc.assert(
      fc.property(pauses, (pausesMs) => {
        const times = creationsAfter(pausesMs);
        expect(mostWithin(times, 60_000)).toBeLessThanOrEqual(80);
        expect(mostWithin(times, 3_600_000)).toBeLessThanOrEqual(500);
      }),
      { numRuns: 30 },
    );
  });

  it('is not limited elsewhere, but waits where a provider asked for it', () => {
    const pace = blocked(FREE, 5_000);
    expect(withCreation(pace, 'jira', 2_000)).toEqual({ waitMs: 3_000 });
    expect(withCreation(pace, 'jira', 5_000)).toEqual({ pace: { ...pace, reachedAt: [] } });
    expect([waitOf(pace, 2_000), waitOf(blocked(pace, 1_000), 2_000), waitOf(pace, 9_000)]).toEqual([3_000, 3_000, 0]);
  });
});
