import type { RuleConfiguration, Severity } from '@clew/contracts';
import { SEVERITIES } from '@clew/contracts';
import type { RuleDefinition, SignalDefinition, SignalHit } from './rule.ts';

/** Share of its own score that a further case of the same problem adds. */
const REPEAT_SHARE = 0.25;
/** Maximum score: no Detection without a judge is certain. */
const MAX_SCORE = 0.99;
/** Factor for truncated snapshots: the missing part may explain the observation. */
const TRUNCATED_CONFIDENCE = 0.9;

/** Combines independent hints: one minus the probability that all of them mislead. */
export function noisyOr(scores: readonly number[]): number {
  return 1 - scores.reduce((misleading, score) => misleading * (1 - score), 1);
}

/**
 * Selects the hits whose signal the Rule has and the project has not switched off, each signal once with its best
 * strength.
 */
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

/** Score of one case: the weights of its signals, scaled by their strengths, combined. */
export function occurrenceScore(signals: readonly SignalDefinition[], hits: readonly SignalHit[]): number {
  return noisyOr(
    hits.map((hit) => (signals.find((signal) => signal.name === hit.name)?.weight ?? 0) * clamp(hit.strength)),
  );
}

/**
 * Score of a cluster in one conversation, from the scores of its cases: the clearest counts fully, each repeat a
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

/** Highest severity among the signals that fired, with the project's overrides. */
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
