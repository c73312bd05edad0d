import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { BUCKETS, histogramOf, quantileOf, type Histogram } from './durations.ts';

const countsOf = (histogram: Histogram) =>
  Float64Array.from({ length: BUCKETS }, (_, bucket) => histogram[bucket] ?? 0);
const durations = fc.array(fc.integer({ min: 1, max: 10_000_000 }), { minLength: 1, maxLength: 200 });

describe('a histogram of durations', () => {
  it('gives every quantile to a tenth', () => {
    fc.assert(
      fc.property(durations, fc.constantFrom(0.5, 0.95, 1), (all, share) => {
        const sorted = all.toSorted((left, right) => left - right);
        const exact = sorted[Math.max(0, Math.ceil(all.length * share) - 1)]!;
        const quantile = quantileOf(countsOf(histogramOf(all)), share)!;
        expect(Math.abs(quantile - exact)).toBeLessThanOrEqual(exact * 0.1 + 1);
      }),
    );
  });

  it('has at most 96 buckets, and no quantile without a duration', () => {
    const all = Array.from({ length: 60 }, (_, exponent) => 1.7 ** exponent);
    expect(
      Object.keys(histogramOf(all))
        .map(Number)
        .every((bucket) => bucket < 96),
    ).toBe(true);
    const quantiles = [{}, { 3: 0 }, histogramOf([0])].map((histogram) => quantileOf(countsOf(histogram), 0.5));
    expect(quantiles).toEqual([null, null, 0]);
  });
});
