import { describe, expect, it } from '@jest/globals';
import { createLagRule } from './load-shedder.ts';

const [FAST_MS, SLOW_MS, MAX_MS] = [5, 1_500, 1_000];
const judge = (...delaysMs: number[]) => delaysMs.map(createLagRule(MAX_MS));

describe('the event loop', () => {
  it('does not lag after one pause, however long it was', () => {
    expect(judge(FAST_MS, 60_000, FAST_MS, SLOW_MS, FAST_MS)).not.toContain(true);
  });

  it('lags from the second slow period on, until a period is fast again', () => {
    expect(judge(SLOW_MS, SLOW_MS, SLOW_MS, FAST_MS, SLOW_MS)).toEqual([false, true, true, false, false]);
  });
});
