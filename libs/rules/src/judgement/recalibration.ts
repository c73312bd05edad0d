/** Conversation whose outcome is known, with the score that the Rules gave it. */
export interface JudgedScore {
  /** Score of the Rules, 0 to 1. */
  score: number;
  failed: boolean;
  /** Number of conversations that it stands for; above 0. */
  weight: number;
}

/** Straight line on the logit scale that brings scores in line with known outcomes. */
export interface ScoreCalibration {
  intercept: number;
  /** At least 0, so that the order of scores stays. */
  slope: number;
}

/** Least number of conversations with a known outcome, and of each outcome, from which a calibration is fitted. */
export const MIN_JUDGED = 30;
const MIN_OF_OUTCOME = 5;

/** Precisions of the priors: the line that changes nothing counts like a few conversations. */
const PRIOR_OF_INTERCEPT = 0.25;
const PRIOR_OF_SLOPE = 4;
const ITERATIONS = 50;
const CONVERGED = 1e-9;
/** Closest that a score comes to 0 or 1, where its logit has no value. */
const EDGE = 1e-4;

/**
 * Fits a calibration by logistic regression of the outcomes on the logit of the scores (Platt 1999), with normal priors
 * around the line that changes nothing. Weights count relative to their mean. Returns `undefined` with too few
 * conversations, or too few of one outcome.
 */
export function fitCalibration(judged: readonly JudgedScore[]): ScoreCalibration | undefined {
  const failed = judged.filter((each) => each.failed).length;
  if (judged.length < MIN_JUDGED || Math.min(failed, judged.length - failed) < MIN_OF_OUTCOME) return undefined;
  const mean = judged.reduce((sum, { weight }) => sum + weight, 0) / judged.length;
  const points = judged.map((each) => ({
    at: logit(each.score),
    outcome: each.failed ? 1 : 0,
    weight: each.weight / mean,
  }));
  const free = newton(points, { intercept: 0, slope: 1 }, true);
  // A slope below 0 means that higher scores went with better outcomes: then all conversations get the usual score.
  return free.slope >= 0 ? free : newton(points, { intercept: 0, slope: 0 }, false);
}

/** Applies a calibration to a score. */
export function calibrated(score: number, { intercept, slope }: ScoreCalibration): number {
  return Math.round(10_000 * sigmoid(intercept + slope * logit(score))) / 10_000;
}

/** Mean squared difference between scores and outcomes (Brier 1950), weighted; lower is better. */
export function brierScore(judged: readonly JudgedScore[]): number {
  const weights = judged.reduce((sum, { weight }) => sum + weight, 0);
  const total = judged.reduce((sum, { score, failed, weight }) => sum + weight * (score - (failed ? 1 : 0)) ** 2, 0);
  return weights === 0 ? 0 : total / weights;
}

interface Point {
  at: number;
  outcome: number;
  weight: number;
}

/** Maximises the penalised likelihood, over both parameters or over the intercept alone. */
function newton(points: readonly Point[], start: ScoreCalibration, isSlopeFree: boolean): ScoreCalibration {
  let { intercept, slope } = start;
  for (let iteration = 0; iteration < ITERATIONS; iteration += 1) {
    let [gradient, gradientOfSlope] = [-PRIOR_OF_INTERCEPT * intercept, -PRIOR_OF_SLOPE * (slope - 1)];
    let [curve, mixed, curveOfSlope] = [PRIOR_OF_INTERCEPT, 0, PRIOR_OF_SLOPE];
    for (const { at, outcome, weight } of points) {
      const expected = sigmoid(intercept + slope * at);
      const information = weight * expected * (1 - expected);
      gradient += weight * (outcome - expected);
      gradientOfSlope += weight * (outcome - expected) * at;
      curve += information;
      mixed += information * at;
      curveOfSlope += information * at * at;
    }
    const determinant = isSlopeFree ? curve * curveOfSlope - mixed * mixed : curve;
    const step = damped(
      isSlopeFree ? (curveOfSlope * gradient - mixed * gradientOfSlope) / determinant : gradient / curve,
    );
    const stepOfSlope = isSlopeFree ? damped((curve * gradientOfSlope - mixed * gradient) / determinant) : 0;
    intercept += step;
    slope += stepOfSlope;
    if (Math.abs(step) + Math.abs(stepOfSlope) < CONVERGED) break;
  }
  return { intercept, slope };
}

/** Bounds a step, since far from the optimum a full one can lead away from it. */
function damped(step: number): number {
  return Math.max(-1, Math.min(1, step));
}

function logit(score: number): number {
  const inside = Math.min(1 - EDGE, Math.max(EDGE, score));
  return Math.log(inside / (1 - inside));
}

function sigmoid(value: number): number {
  return 1 / (1 + Math.exp(-value));
}
