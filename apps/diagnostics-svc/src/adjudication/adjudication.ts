import { ruleKeyOf } from '../analyses/index.ts';
import { derivedId } from '@clew/kernel';
import type { RuleRevision } from '@clew/contracts';

/**
 * Findings of one Rule, in one revision of its configuration, in one snapshot; one call asks the judge about all of
 * them.
 */
export interface AdjudicationTarget {
  projectId: string;
  conversationId: string;
  snapshotId: string;
  rule: RuleRevision;
}

/**
 * Rules about which no model is asked. The findings of the first must not be sent anywhere. The next rely on figures, or
 * on a person's score, which a reading of the text cannot refute. A reviewer's findings had a second look already.
 */
export const NEVER_JUDGED: ReadonlySet<string> = new Set([
  'sensitive_data_in_output',
  'latency_outlier',
  'token_blow_up',
  'step_budget_exhausted',
  'negative_score',
  'conversation_review',
]);

export function adjudicationIdOf({ projectId, conversationId, snapshotId, rule }: AdjudicationTarget): string {
  return derivedId('adj', projectId, conversationId, snapshotId, ruleKeyOf(rule));
}

export function verdictIdOf(
  { projectId, conversationId, snapshotId, rule }: AdjudicationTarget,
  model: string,
): string {
  return derivedId('vrd', projectId, conversationId, snapshotId, ruleKeyOf(rule), model);
}

/** Number of cases in the judgement test. */
const JUDGED_CASES = 8;

/**
 * Accuracy of a model, from its share of right answers in the judgement test, as if it had given one more right and one
 * more wrong answer: eight cases do not prove perfection. A model without a test, or with a result worse than chance,
 * gets 0.5.
 */
export function accuracyOf(judgementScore: number | undefined): number {
  if (judgementScore === undefined) return 0.5;
  return round(Math.max(0.5, (judgementScore * JUDGED_CASES + 1) / (JUDGED_CASES + 2)));
}

/** Upper limit of a confirmed confidence: a model's word never makes a finding certain. */
const MAX_CONFIDENCE = 0.99;

/**
 * Probability that a candidate with the given confidence is right, once a model of that accuracy has confirmed it
 * (Bayes).
 */
export function confirmedConfidence(candidateConfidence: number, accuracy: number): number {
  const right = candidateConfidence * accuracy;
  const wrong = (1 - candidateConfidence) * (1 - accuracy);
  if (right + wrong === 0) return candidateConfidence;
  return round(Math.min(MAX_CONFIDENCE, right / (right + wrong)));
}

function round(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
