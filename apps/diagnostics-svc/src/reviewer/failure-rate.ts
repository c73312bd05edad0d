/** Sums over the reviews of conversations that were drawn at random. */
export interface RandomReviews {
  count: number;
  /** Sum of the weights; a weight is one over the probability with which the conversation was drawn. */
  weights: number;
  squaredWeights: number;
  /** Sum of the weights of the failed ones. */
  failedWeights: number;
}

/** Share of failed conversations with its 95% interval; null without any review. */
export interface FailureRate {
  rate: number | null;
  low: number;
  high: number;
}

/** Standard score of a 95% interval. */
const Z = 1.959964;

/**
 * Estimates the share of failed conversations: the weighted share among those drawn at random (Hájek), with Wilson's
 * score interval for the effective number of reviews (Kish), which is smaller the more the weights differ. The interval
 * is for the rate at which conversations fail, so that it has a width even if all of a time were read.
 */
export function failureRateOf({ count, weights, squaredWeights, failedWeights }: RandomReviews): FailureRate {
  if (count === 0 || weights === 0) return { rate: null, low: 0, high: 1 };
  const rate = failedWeights / weights;
  const effective = (weights * weights) / squaredWeights;
  const spread = Z * Z;
  const centre = (rate + spread / (2 * effective)) / (1 + spread / effective);
  const half =
    (Z / (1 + spread / effective)) * Math.sqrt((rate * (1 - rate)) / effective + spread / (4 * effective * effective));
  return { rate: round(rate), low: round(Math.max(0, centre - half)), high: round(Math.min(1, centre + half)) };
}

function round(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
