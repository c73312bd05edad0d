import type { Detection, Severity } from '@clew/contracts';
import type { ConversationView } from '../view/conversation-view.ts';
import { featuresOf, type ConversationFeatures } from './features.ts';

interface Weighed {
  readonly feature: keyof ConversationFeatures;
  /** Factor of the logarithm of the count. */
  readonly weight: number;
}

/**
 * Weights of the features that make a failure likelier (docs/adr/0025). They follow from two decisions and no search:
 * the length of a conversation, the amount changed in it and the amount to work out count equally; visible trouble on
 * the way counts half. Each is divided by the usual variation of its logarithm.
 */
export const SCORE_WEIGHTS: readonly Weighed[] = [
  { feature: 'messages', weight: 2 },
  { feature: 'changedValues', weight: 0.5 },
  { feature: 'demands', weight: 1.6 },
  { feature: 'failedCalls', weight: 1.25 },
  { feature: 'unconfirmedChanges', weight: 1.5 },
  { feature: 'ungroundedNumbers', weight: 1 },
  { feature: 'emptyResults', weight: 1.1 },
  { feature: 'handovers', weight: 0.6 },
];

/** Sum at which a conversation fails as often as not; fitted on the labelled conversations. */
const EVEN = 7.5;
const STEEPNESS = 0.45;

/** Added to the sum for a Detection with the highest score, by its severity; hints add nothing. */
export const SEVERITY_WEIGHTS: Readonly<Record<Severity, number>> = {
  critical: 2,
  high: 2,
  medium: 1,
  low: 0,
  info: 0,
};

/** Estimates the probability that a conversation went wrong, 0 to 1, without a model. */
export function conversationScore(view: ConversationView, detections: readonly Detection[]): number {
  return scoreOf(featuresOf(view), detections);
}

/**
 * Computes the score from counted features and Detections; it never falls when one of them grows. Of several Detections
 * the one with the largest weighted score counts.
 */
export function scoreOf(
  features: ConversationFeatures,
  detections: readonly Pick<Detection, 'severity' | 'diagnosticScore'>[],
): number {
  const sum = SCORE_WEIGHTS.reduce((total, { feature, weight }) => total + weight * Math.log1p(features[feature]), 0);
  const found = detections.map(({ severity, diagnosticScore }) => SEVERITY_WEIGHTS[severity] * diagnosticScore);
  const score = 1 / (1 + Math.exp(-STEEPNESS * (sum - EVEN) - Math.max(0, ...found)));
  return Math.round(score * 10_000) / 10_000;
}
