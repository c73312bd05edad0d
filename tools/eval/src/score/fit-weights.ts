/** Conversations of one domain: their features as distances from the usual, and which of them failed. */
export interface FittedDomain {
  readonly distances: readonly (readonly number[])[];
  readonly failed: readonly boolean[];
}

/** Penalty of large weights. */
const PENALTY = 0.05;
const STEPS = 600;
const STEP_LENGTH = 0.8;
const INTERCEPT_STEP = 1.5;

/**
 * Fits the weights of a logistic regression on several domains. Each domain counts the same, and so do its failures and
 * its successes; each has its own intercept, since failures are more frequent in some. No weight is below zero: every
 * feature is one that makes a failure likelier by reasoning, and a domain in which it happens not to must not turn it
 * round for all others.
 */
export function fitWeights(domains: readonly FittedDomain[], features: number): number[] {
  const weights = new Array<number>(features).fill(0);
  const intercepts = domains.map(() => 0);
  for (let step = 0; step < STEPS; step += 1) {
    const gradient = weights.map((weight) => PENALTY * weight);
    domains.forEach((domain, at) => {
      let ofIntercept = 0;
      const [perFailure, perSuccess] = sharesOf(domain);
      domain.distances.forEach((distances, index) => {
        const failed = domain.failed[index] === true;
        const sum = weightedSum(weights, distances) + (intercepts[at] ?? 0);
        const excess = (1 / (1 + Math.exp(-sum)) - Number(failed)) * (failed ? perFailure : perSuccess);
        ofIntercept += excess;
        distances.forEach((distance, feature) => {
          gradient[feature] = (gradient[feature] ?? 0) + (excess * distance) / domains.length;
        });
      });
      intercepts[at] = (intercepts[at] ?? 0) - INTERCEPT_STEP * ofIntercept;
    });
    gradient.forEach((slope, feature) => {
      weights[feature] = Math.max(0, (weights[feature] ?? 0) - STEP_LENGTH * slope);
    });
  }
  return weights;
}

export function weightedSum(weights: readonly number[], distances: readonly number[]): number {
  return weights.reduce((sum, weight, feature) => sum + weight * (distances[feature] ?? 0), 0);
}

/** Weight of each failure and of each success, so that both kinds count half. */
function sharesOf({ failed }: FittedDomain): readonly [number, number] {
  const failures = failed.filter(Boolean).length;
  return [0.5 / Math.max(1, failures), 0.5 / Math.max(1, failed.length - failures)];
}
