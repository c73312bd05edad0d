import type { ConversationFeatures } from './features.ts';
import type { UsualFeatures } from './usual.ts';

/**
 * Weights of the features (docs/adr/0025), each for one spread above the usual. `eval -- findings --fit` computes them
 * on labelled conversations of eight domains.
 */
export const SCORE_WEIGHTS: Readonly<Record<keyof ConversationFeatures, number>> = {
  requestLength: 0.13,
  writtenLength: 0.2,
  lateFailures: 0.27,
  lastCallFailed: 0.19,
  emptyResults: 0.13,
  repeatedTools: 0.06,
  withoutCalls: 0.3,
  hedges: 0.11,
  plansLeft: 0.17,
  unanswered: 0.2,
  unusedValues: 0.2,
  problems: 0.33,
};
/** Half of the conversations that the weights were fitted on count as failed. */
export const INTERCEPT = 0;

/** Usual features for conversations of which nothing else is known: the mean of the domains that the weights were fitted on. */
export const GENERAL_USUAL: UsualFeatures = {
  requestLength: { mean: 4.41, spread: 0.61 },
  writtenLength: { mean: 6.36, spread: 0.89 },
  lateFailures: { mean: 0.06, spread: 0.19 },
  lastCallFailed: { mean: 0.04, spread: 0.19 },
  emptyResults: { mean: 0.13, spread: 0.33 },
  repeatedTools: { mean: 0.17, spread: 0.17 },
  withoutCalls: { mean: 0.28, spread: 0.17 },
  hedges: { mean: 0.53, spread: 0.53 },
  plansLeft: { mean: 0.45, spread: 0.41 },
  unanswered: { mean: 0.51, spread: 0.13 },
  unusedValues: { mean: 1.02, spread: 0.49 },
  problems: { mean: 0.11, spread: 0.24 },
};
