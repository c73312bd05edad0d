import { expect, it } from '@jest/globals';
import { FEATURE_NAMES, type ConversationFeatures } from '@clew/rules';
import fc from 'fast-check';
import { randomNumbers } from '../figures/resample.ts';
import { fitWeights } from './fit-weights.ts';
import { leaveOneDomainOut, type FeaturedDomain } from './leave-one-domain-out.ts';

const NOTHING = Object.fromEntries(FEATURE_NAMES.map((name) => [name, 0])) as unknown as ConversationFeatures;

/** Domain of its own scale in which late failures tell what failed, and the length tells nothing. */
function domain(name: string, scale: number): FeaturedDomain {
  const random = randomNumbers(name.length);
  return {
    name,
    conversations: Array.from({ length: 40 }, (_, index) => {
      const failed = index % 2 === 0;
      const lateFailures = scale * (random() + (failed ? 1 : 0));
      return { taskId: String(index), failed, length: 10, features: { ...NOTHING, lateFailures } };
    }),
  };
}

it('a domain is judged by what was fitted on the others, and by what is usual in itself', () => {
  const { leaveOneDomainOut: rows, mean } = leaveOneDomainOut([domain('a', 1), domain('bb', 20), domain('ccc', 4)]) as {
    leaveOneDomainOut: { domain: string; auc: number; length: number }[];
    mean: { auc: number; length: number; lowest: number };
  };
  expect(rows.map((row) => row.domain)).toEqual(['a', 'bb', 'ccc']);
  expect(mean.lowest).toBeGreaterThan(0.95);
  expect(mean.length).toBe(0.5);
});

it('the order of the domains and of their conversations makes no difference to the weights', () => {
  const shapes = fc.array(
    fc.array(fc.record({ distance: fc.double({ min: -2.5, max: 2.5, noNaN: true }), failed: fc.boolean() }), {
      minLength: 2,
      maxLength: 12,
    }),
    { minLength: 1, maxLength: 4 },
  );
  const weightsOf = (domains: readonly { distance: number; failed: boolean }[][]) =>
    fitWeights(
      domains.map((rows) => ({
        distances: rows.map(({ distance }) => [distance]),
        failed: rows.map(({ failed }) => failed),
      })),
      1,
    );
  fc.assert(
    fc.property(shapes, (domains) => {
      const [forward] = weightsOf(domains);
      const [backward] = weightsOf(domains.toReversed().map((rows) => rows.toReversed()));
      expect(forward).toBeGreaterThanOrEqual(0);
      expect(backward).toBeCloseTo(forward ?? NaN, 6);
    }),
    { numRuns: 30 },
  );
});

it('a feature that is higher in successes gets no weight', () => {
  const failed = [true, true, false, false];
  expect(fitWeights([{ distances: [[-1], [-0.5], [0.5], [1]], failed }], 1)).toEqual([0]);
  expect(fitWeights([{ distances: [[1], [0.5], [-0.5], [-1]], failed }], 1)[0]).toBeGreaterThan(0.2);
});
