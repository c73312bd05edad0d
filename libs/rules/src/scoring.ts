import type { RuleConfiguration, Severity } from '@clew/contracts';
import { SEVERITIES } from '@clew/contracts';
import type { RuleDefinition, SignalDefinition, SignalHit } from './rule.ts';

/** A further case of the same problem in the same conversation adds this share of its own score. */
const REPEAT_SHARE = 0.25;
/** Nothing that is found without a judge is certain. */
const MAX_SCORE = 0.99;
/** What a truncated snapshot leaves out may explain what was seen. */
const TRUNCATED_CONFIDENCE = 0.9;

/** Independent hints combined: one minus the chance that all of them mislead. */
export function noisyOr(scores: readonly number[]): number {
  return 1 - scores.reduce((misleading, score) => misleading * (1 - score), 1);
}

/** The hits whose signal the Rule has and the project has not switched off, each signal once with its best strength. */
export function enabledHits(
  rule: RuleDefinition,
  hits: readonly SignalHit[],
  configuration: RuleConfiguration,
): SignalHit[] {
  const best = new Map<string, SignalHit>();
  for (const hit of hits) {
    const isKnown = rule.signals.some((signal) => signal.name === hit.name);
    if (!isKnown || configuration.signalOverrides[hit.name]?.enabled === false) continue;
    const previous = best.get(hit.name);
    if (previous === undefined || previous.strength < hit.strength) best.set(hit.name, hit);
  }
  return [...best.values()];
}

/** The score of one case: its signals' weights, scaled by how clear they are, combined. */
export function occurrenceScore(signals: readonly SignalDefinition[], hits: readonly SignalHit[]): number {
  return noisyOr(
    hits.map((hit) => (signals.find((signal) => signal.name === hit.name)?.weight ?? 0) * clamp(hit.strength)),
  );
}

/**
 * The score of a cluster in one conversation, from the scores of its cases: the clearest counts fully, each repeat a
 * quarter. Repeats raise the score but not the confidence, so that many weak hints never look like one clear case.
 */
export function clusterScores(
  caseScores: readonly number[],
  truncated: boolean,
): { score: number; confidence: number } {
  const best = Math.max(...caseScores);
  const bestIndex = caseScores.indexOf(best);
  const repeats = caseScores.filter((_, index) => index !== bestIndex).map((score) => score * REPEAT_SHARE);
  return {
    score: round(Math.min(noisyOr([best, ...repeats]), MAX_SCORE)),
    confidence: round(Math.min(best * (truncated ? TRUNCATED_CONFIDENCE : 1), MAX_SCORE)),
  };
}

/** The gravest severity among the signals that fired, as the project sets them. */
export function severityOf(
  signals: readonly SignalDefinition[],
  firedNames: ReadonlySet<string>,
  configuration: RuleConfiguration,
): Severity {
  const severities = signals
    .filter((signal) => firedNames.has(signal.name))
    .map((signal) => configuration.signalOverrides[signal.name]?.severity ?? signal.defaultSeverity);
  return SEVERITIES.find((severity) => severities.includes(severity)) ?? 'info';
}

function clamp(value: number): number {
  return Math.min(1, Math.max(0, value));
}

function round(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
