import type { Detection, Severity } from '@clew/contracts';
import type { ConversationView } from '../view/conversation-view.ts';
import { featuresOf, type ConversationFeatures } from './features.ts';

interface Weighed {
  readonly feature: keyof ConversationFeatures;
  /** How much the logarithm of the count adds. */
  readonly weight: number;
}

/**
 * What makes a failure likelier, and how much (docs/adr/0025). The weights follow from two decisions and no search: how
 * long a conversation was, how much was changed in it and how much had to be worked out count alike; what went
 * visibly wrong on the way counts half. Each is divided by how much its logarithm usually varies.
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

/** Fitted on the labelled conversations: where the sum is `EVEN`, a conversation fails as often as not. */
const EVEN = 7.5;
const STEEPNESS = 0.45;

/** What a Rule found adds as much, by its severity, at the highest score; hints add nothing. */
export const SEVERITY_WEIGHTS: Readonly<Record<Severity, number>> = {
  critical: 2,
  high: 2,
  medium: 1,
  low: 0,
  info: 0,
};

/** How likely a conversation went wrong, 0 to 1, as far as can be told without a model. */
export function conversationScore(view: ConversationView, detections: readonly Detection[]): number {
  return scoreOf(featuresOf(view), detections);
}

/** The score of counted features and of what was found; it never falls when one of them grows. Of several the gravest counts. */
export function scoreOf(
  features: ConversationFeatures,
  detections: readonly Pick<Detection, 'severity' | 'diagnosticScore'>[],
): number {
  const sum = SCORE_WEIGHTS.reduce((total, { feature, weight }) => total + weight * Math.log1p(features[feature]), 0);
  const found = detections.map(({ severity, diagnosticScore }) => SEVERITY_WEIGHTS[severity] * diagnosticScore);
  const score = 1 / (1 + Math.exp(-STEEPNESS * (sum - EVEN) - Math.max(0, ...found)));
  return Math.round(score * 10_000) / 10_000;
}
