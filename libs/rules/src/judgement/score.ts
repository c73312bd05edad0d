import { FEATURE_NAMES, type ConversationFeatures } from './features.ts';
import { distancesFrom, type UsualFeatures } from './usual.ts';
import { GENERAL_USUAL, INTERCEPT, SCORE_WEIGHTS } from './weights.ts';

/**
 * Estimates the probability that a conversation went wrong, 0 to 1, without a model; it never falls when a feature
 * grows. Features count by their distance from the usual ones: the same length means something else for a shell than
 * for a booking. Without statistics of the project, those of the conversations that the weights were fitted on are
 * taken.
 */
export function scoreOf(features: ConversationFeatures, usual: UsualFeatures = GENERAL_USUAL): number {
  const distances = distancesFrom(usual, features);
  const sum = FEATURE_NAMES.reduce((total, name, index) => total + SCORE_WEIGHTS[name] * (distances[index] ?? 0), 0);
  return Math.round(10_000 / (1 + Math.exp(-INTERCEPT - sum))) / 10_000;
}
