import { ruleKeyOf } from '../analyses/index.ts';
import { derivedId } from '@clew/kernel';
import type { RuleRevision } from '@clew/contracts';

/** What one Rule, in one revision of its configuration, found in one snapshot: the judge is asked for all of it at once. */
export interface AdjudicationTarget {
  projectId: string;
  conversationId: string;
  snapshotId: string;
  rule: RuleRevision;
}

/**
 * Rules that no model is asked about: what the first found must not be sent anywhere, and the others go by figures, or by
 * what a person said, which no reading of the words refutes.
 */
export const NEVER_JUDGED: ReadonlySet<string> = new Set([
  'sensitive_data_in_output',
  'latency_outlier',
  'token_blow_up',
  'step_budget_exhausted',
  'negative_score',
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

/** The judgement test has so many cases. */
const JUDGED_CASES = 8;

/**
 * How often a model is right, from its share of right answers in the judgement test: as if it had been right once more
 * and wrong once more, since eight cases prove no perfection. One that was never tested may as well toss a coin, and so
 * may one that does worse than that.
 */
export function accuracyOf(judgementScore: number | undefined): number {
  if (judgementScore === undefined) return 0.5;
  return round(Math.max(0.5, (judgementScore * JUDGED_CASES + 1) / (JUDGED_CASES + 2)));
}

/** Nothing is certain because a model says so. */
const MAX_CONFIDENCE = 0.99;

/** The chance that what a Rule was so confident of is there, once a model of that accuracy has said so (Bayes). */
export function confirmedConfidence(candidateConfidence: number, accuracy: number): number {
  const right = candidateConfidence * accuracy;
  const wrong = (1 - candidateConfidence) * (1 - accuracy);
  if (right + wrong === 0) return candidateConfidence;
  return round(Math.min(MAX_CONFIDENCE, right / (right + wrong)));
}

function round(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
