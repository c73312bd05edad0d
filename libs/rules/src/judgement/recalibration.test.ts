import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { brierScore, calibrated, fitCalibration, MIN_JUDGED, type JudgedScore } from './recalibration.ts';

const judged = fc.record({
  score: fc.double({ min: 0, max: 1, noNaN: true }),
  failed: fc.boolean(),
  weight: fc.double({ min: 0.1, max: 100, noNaN: true }),
});

/** Conversations at given scores, of which a given share failed. */
function population(shares: readonly (readonly [score: number, failed: number, count: number])[]): JudgedScore[] {
  return shares.flatMap(([score, failed, count]) =>
    Array.from({ length: count }, (_, index) => ({ score, failed: index < failed * count, weight: 1 })),
  );
}

describe('a calibration of scores', () => {
  it('is not fitted to few conversations, nor to hardly any failed or good one', () => {
    expect(fitCalibration(population([[0.3, 0.5, MIN_JUDGED - 1]]))).toBeUndefined();
    expect(fitCalibration(population([[0.3, 0.02, 200]]))).toBeUndefined();
    expect(fitCalibration(population([[0.3, 0.98, 200]]))).toBeUndefined();
  });

  it('brings scores to the shares that failed', () => {
    const known = population([
      ...([[0.2, 0.05, 400] as const, [0.4, 0.1, 400] as const, [0.6, 0.3, 400] as const] as const),
      [0.8, 0.55, 400],
    ]);
    const fitted = fitCalibration(known)!;
    expect(Math.abs(calibrated(0.2, fitted) - 0.05)).toBeLessThan(0.03);
    expect(Math.abs(calibrated(0.8, fitted) - 0.55)).toBeLessThan(0.06);
    const after = known.map((each) => ({ ...each, score: calibrated(each.score, fitted) }));
    expect(brierScore(after)).toBeLessThan(0.7 * brierScore(known));
  });

  it('lets a conversation count for as many as it stands for', () => {
    const rare = population([[0.5, 1, 40]]).map((each) => ({ ...each, weight: 1 }));
    const usual = population([[0.5, 0, 40]]).map((each) => ({ ...each, weight: 9 }));
    expect(calibrated(0.5, fitCalibration([...rare, ...usual])!)).toBeCloseTo(0.1, 1);
  });

  it('gives all conversations the usual score where higher scores went with better outcomes', () => {
    const fitted = fitCalibration(
      population([
        [0.1, 0.9, 300],
        [0.9, 0.1, 300],
      ]),
    )!;
    expect(fitted.slope).toBe(0);
    expect(calibrated(0.9, fitted)).toBeCloseTo(0.5, 1);
  });

  it('keeps the order of scores, and stays between 0 and 1, whatever it was fitted to', () => {
    fc.assert(
      fc.property(fc.array(judged, { minLength: MIN_JUDGED, maxLength: 200 }), (known) => {
        const fitted = fitCalibration(known);
        if (fitted === undefined) return;
        const scores = [0, 0.001, 0.1, 0.3, 0.5, 0.8, 0.999, 1].map((score) => calibrated(score, fitted));
        expect(scores.toSorted((left, right) => left - right)).toEqual(scores);
        expect(Math.min(...scores)).toBeGreaterThanOrEqual(0);
        expect(Math.max(...scores)).toBeLessThanOrEqual(1);
      }),
    );
  });
});
