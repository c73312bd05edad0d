import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { failureRateOf, type RandomReviews } from './failure-rate.ts';
import { chooseForReview, drawOf, NO_COUNTS, type DayCounts } from './sampling.ts';

const candidate = (conversationId: string, score = 0.3, isNegative = false) => ({ conversationId, score, isNegative });

/** Numbers from 0 to below 1 that depend on a seed (mulberry32), so that a run can be repeated. */
function randomOf(seed: number): () => number {
  let state = Math.imul(seed, 0x9e3779b1);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Chooses through days of given numbers of conversations; returns the choices by day. */
function days(counts: readonly number[], dailyReviews: number, prefix: string, scoreOf = () => 0.3) {
  let yesterday: DayCounts = NO_COUNTS;
  return counts.map((count, day) => {
    let today: DayCounts = NO_COUNTS;
    const choices = Array.from({ length: count }, (_, index) => {
      const each = candidate(`${prefix}-${day}-${index}`, scoreOf());
      const { choice, counts: next } = chooseForReview(each, { today, yesterday, dailyReviews });
      today = next;
      return { ...each, choice };
    });
    yesterday = today;
    return choices;
  });
}

describe('conversations', () => {
  it('are all read at random while there is room for all', () => {
    const [first] = days([40], 200, 'few');
    expect(first!.map(({ choice }) => choice)).toEqual(first!.map(() => ({ by: 'random', inclusion: 1 })));
  });

  it('are drawn with a chance that is known, never none, and that uses about half of the day’s reviews', () => {
    const [, second] = days([5_000, 5_000], 200, 'many');
    const random = second!.flatMap(({ choice }) => (choice?.by === 'random' ? [choice.inclusion] : []));
    expect(random.length).toBeGreaterThan(60);
    expect(random.length).toBeLessThan(130);
    expect(Math.min(...random)).toBeGreaterThan(0);
  });

  it('with the highest scores have the other half, those with a negative score first', () => {
    const random = randomOf(7);
    const [, second] = days([3_000, 3_000], 100, 'scored', random);
    const byScore = second!.filter(({ choice }) => choice?.by === 'score');
    expect(byScore.length).toBeGreaterThan(25);
    expect(byScore.length).toBeLessThanOrEqual(50);
    expect(Math.min(...byScore.map(({ score }) => score))).toBeGreaterThan(0.9);
    const used = { ...NO_COUNTS, ready: 1_000, random: 50, byScore: 49 };
    const yesterday = { ...used, scores: Array.from({ length: 20 }, () => 50) };
    const id = 'a conversation that chance leaves out';
    const chosen = chooseForReview(candidate(id, 0.1, true), { today: used, yesterday, dailyReviews: 100 });
    expect(chosen.choice).toEqual({ by: 'score' });
    const full = { today: { ...used, byScore: 50 }, yesterday, dailyReviews: 100 };
    expect(chooseForReview(candidate(id, 0.1, true), full).choice).toBeUndefined();
  });

  it('are not read at all where no review is allowed', () => {
    const [first] = days([20], 0, 'none', () => 1);
    expect(first!.every(({ choice }) => choice === undefined)).toBe(true);
  });

  it('are decided on alike by whoever decides with the same counts', () => {
    const counts = fc.record({
      ready: fc.nat(9_999),
      random: fc.nat(99),
      byScore: fc.nat(99),
      scores: fc.constant([]),
    });
    fc.assert(
      fc.property(
        fc.string(),
        fc.float({ min: 0, max: 1, noNaN: true }),
        counts,
        counts,
        (id, score, today, yesterday) => {
          const context = { today, yesterday, dailyReviews: 200 };
          const one = chooseForReview(candidate(id, score), context);
          expect(chooseForReview(candidate(id, score), context)).toEqual(one);
          expect(one.counts.ready).toBe(today.ready + 1);
          if (one.choice?.by === 'random') {
            expect(one.choice.inclusion).toBeGreaterThan(drawOf(id));
            expect(one.choice.inclusion).toBeLessThanOrEqual(1);
          }
        },
      ),
    );
  });
});

describe('the failure rate', () => {
  const POPULATIONS = 1_000;

  /** Share of simulated populations for which the interval covers the rate at which conversations fail. */
  function coverage(rate: number, perDay: readonly number[], dailyReviews: number): number {
    let covered = 0;
    for (let seed = 0; seed < POPULATIONS; seed += 1) {
      const random = randomOf(seed + 1);
      const sums: RandomReviews = { count: 0, weights: 0, squaredWeights: 0, failedWeights: 0 };
      for (const day of days(perDay, dailyReviews, `p${rate}-${seed}`)) {
        for (const { choice } of day) {
          const failed = random() < rate;
          if (choice?.by !== 'random') continue;
          const weight = 1 / choice.inclusion;
          sums.count += 1;
          sums.weights += weight;
          sums.squaredWeights += weight * weight;
          sums.failedWeights += failed ? weight : 0;
        }
      }
      const { low, high } = failureRateOf(sums);
      if (low <= rate && rate <= high) covered += 1;
    }
    return covered / POPULATIONS;
  }

  it.each([
    [0.1, 200],
    [0.4, 120],
  ])(
    'of %d has a 95%% interval that covers the truth in 93 to 97%% of a thousand populations',
    (rate, dailyReviews) => {
      const share = coverage(rate, [300, 360], dailyReviews);
      expect(share).toBeGreaterThanOrEqual(0.93);
      expect(share).toBeLessThanOrEqual(0.97);
    },
  );

  it('is not known without reviews', () => {
    expect(failureRateOf({ count: 0, weights: 0, squaredWeights: 0, failedWeights: 0 })).toEqual({
      ...{ rate: null, low: 0, high: 1 },
    });
  });
});
