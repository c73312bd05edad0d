import type { Api } from '@clew/sdk';
import type { Outcome, RefusalReason } from './words.ts';

type Decision = Pick<Api.CollectionDecision, 'outcome' | 'reason'>;

export interface DecisionSummary {
  readonly total: number;
  /** The most frequent first. */
  readonly outcomes: readonly { readonly outcome: Outcome; readonly number: number }[];
  readonly refusals: readonly { readonly reason: RefusalReason; readonly number: number }[];
}

/** Sums decisions up, by outcome and, of the refused ones, by reason. */
export function decisionSummary(decisions: readonly Decision[]): DecisionSummary {
  const outcomes = new Map<Outcome, number>();
  const refusals = new Map<RefusalReason, number>();
  for (const { outcome, reason } of decisions) {
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    if (outcome === 'refused' && reason !== null) refusals.set(reason, (refusals.get(reason) ?? 0) + 1);
  }
  const byNumber = (a: { number: number }, b: { number: number }) => b.number - a.number;
  return {
    total: decisions.length,
    outcomes: [...outcomes].map(([outcome, number]) => ({ outcome, number })).sort(byNumber),
    refusals: [...refusals].map(([reason, number]) => ({ reason, number })).sort(byNumber),
  };
}
