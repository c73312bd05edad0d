import type { EnvelopeOf, analysisCompleted } from '@clew/contracts';
import {
  newFinding,
  occurrenceOf,
  withNewerOccurrence,
  withOccurrence,
  withoutOccurrence,
  type Occurrence,
  type StoredFinding,
} from '../findings/finding.ts';

export type AnalysisResult = EnvelopeOf<typeof analysisCompleted>;

/** What a batch of results touches, as it stood before, and as it stands after `applyResult`. */
export interface ResultState {
  findings: Map<string, StoredFinding>;
  /** By id. */
  occurrences: Map<string, Occurrence>;
  /** The highest revision of a whole conversation that a Rule's result was applied for, by `ruleProgressKey`. */
  progress: Map<string, number>;
}

export function ruleProgressKey(projectId: string, conversationId: string, ruleId: string): string {
  return `${projectId}:${ruleId}:${conversationId}`;
}

/**
 * Applies what the Rules found on one snapshot. The result of a newer snapshot replaces that of an earlier one; an
 * earlier one that comes late changes nothing; a part of a conversation only adds.
 */
export function applyResult(state: ResultState, result: AnalysisResult, nowMs: number): void {
  const { conversationId, snapshot, runs } = result.data;
  for (const { ruleId, outcome } of runs) {
    if (outcome.status !== 'succeeded') continue;
    const key = ruleProgressKey(result.projectId, conversationId, ruleId);
    const whole = snapshot.scope === 'conversation';
    if (whole && (state.progress.get(key) ?? 0) >= snapshot.revision) continue;
    const detected = outcome.detections.map((detection) =>
      occurrenceOf(result.projectId, conversationId, snapshot, detection, nowMs),
    );
    if (whole) {
      state.progress.set(key, snapshot.revision);
      withdrawOthers(state, result.projectId, conversationId, ruleId, detected, nowMs);
    }
    for (const occurrence of detected) addOccurrence(state, occurrence, whole);
  }
}

function addOccurrence(state: ResultState, occurrence: Occurrence, whole: boolean): void {
  const finding = state.findings.get(occurrence.findingId);
  const earlier = state.occurrences.get(occurrence.id);
  if (earlier !== undefined && finding !== undefined) {
    // What a part of the conversation shows is already known from the whole.
    if (!whole) return;
    state.occurrences.set(occurrence.id, occurrence);
    state.findings.set(finding.id, withNewerOccurrence(finding, occurrence));
    return;
  }
  state.occurrences.set(occurrence.id, occurrence);
  const next = finding === undefined ? newFinding(occurrence) : withOccurrence(finding, occurrence);
  state.findings.set(occurrence.findingId, next);
}

function withdrawOthers(
  state: ResultState,
  projectId: string,
  conversationId: string,
  ruleId: string,
  detected: readonly Occurrence[],
  nowMs: number,
): void {
  const kept = new Set(detected.map(({ id }) => id));
  for (const occurrence of [...state.occurrences.values()]) {
    const sameView =
      occurrence.projectId === projectId &&
      occurrence.conversationId === conversationId &&
      occurrence.ruleId === ruleId;
    if (!sameView || kept.has(occurrence.id)) continue;
    state.occurrences.delete(occurrence.id);
    const finding = state.findings.get(occurrence.findingId);
    if (finding !== undefined) state.findings.set(finding.id, withoutOccurrence(finding, occurrence, nowMs));
  }
}
