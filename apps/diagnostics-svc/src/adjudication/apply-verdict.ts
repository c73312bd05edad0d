import type { CandidateVerdict } from '@clew/contracts';
import { calibrateConfidence, NEVER_WITHDRAWN } from '@clew/rules';
import { withoutOccurrence, withPrimary, type ChangedFinding } from '../findings/finding.ts';
import type { Occurrence, OccurrenceHead } from '../findings/occurrence.ts';
import { conversationKey, type AnalysedConversation, type ResultState } from '../results/result-state.ts';
import { findingCountOf, headOfState } from '../results/with-clusters.ts';
import { confirmedConfidence, type AdjudicationTarget } from './adjudication.ts';

/** Verdicts of a judge on the findings of a Rule in a snapshot, with those that the conversation still shows. */
export interface JudgedRule extends AdjudicationTarget {
  model: string;
  accuracy: number;
  verdicts: readonly CandidateVerdict[];
  /** Occurrences in the conversation that come from the snapshot, the Rule and that revision. */
  occurrences: readonly Occurrence[];
}

/** State after a verdict, and the Rule's remaining occurrences in the snapshot. */
export interface Judged {
  state: ResultState;
  left: readonly Occurrence[];
}

/**
 * Withdraws refuted occurrences, except those of safety Rules, and updates the confidence of confirmed ones. Nothing is
 * counted anew: an occurrence keeps its identity and its detection times. Occurrences from other snapshots are not
 * touched.
 */
export function applyVerdict(before: ResultState, judged: JudgedRule, nowMs: number): Judged {
  const key = conversationKey(judged.projectId, judged.conversationId);
  const conversation = before.conversations.get(key);
  const view = conversation?.rules.get(judged.rule.ruleId);
  if (conversation === undefined || view === undefined) return { state: before, left: [] };
  const findings = new Map(before.findings);
  const occurrences = new Map(view.occurrences);
  const verdicts = new Map(judged.verdicts.map((verdict) => [verdict.clusterFingerprint, verdict]));
  const left: Occurrence[] = [];
  for (const occurrence of judged.occurrences) {
    if (!isJudged(occurrences.get(occurrence.id), judged)) continue;
    const verdict = verdicts.get(occurrence.detection.clusterFingerprint);
    if (verdict?.verdict === 'refuted' && !NEVER_WITHDRAWN.has(occurrence.detection.ruleKey)) {
      occurrences.delete(occurrence.id);
      findings.set(occurrence.findingId, withoutOccurrence(known(findings, occurrence), occurrence, nowMs));
      continue;
    }
    const confirmed = verdict?.verdict === 'confirmed' ? confirmedBy(occurrence, verdict, judged) : occurrence;
    left.push(confirmed);
    if (confirmed === occurrence) continue;
    occurrences.set(occurrence.id, confirmed);
    findings.set(occurrence.findingId, withConfirmed(known(findings, occurrence), confirmed, nowMs));
  }
  const isSame =
    occurrences.size === view.occurrences.size && left.every((occurrence) => judged.occurrences.includes(occurrence));
  if (isSame) return { state: before, left };
  const rules = new Map(conversation.rules).set(judged.rule.ruleId, { ...view, occurrences });
  const findingCount = findingCountOf(rules, headOfState(before));
  const changed: AnalysedConversation = { ...conversation, version: conversation.version + 1, findingCount, rules };
  return { state: { conversations: new Map(before.conversations).set(key, changed), findings }, left };
}

/**
 * Whether an occurrence is the one that was judged. One from a later snapshot or configuration in its place was not.
 */
function isJudged(current: OccurrenceHead | undefined, { snapshotId, rule }: JudgedRule): boolean {
  if (current?.snapshotId !== snapshotId) return false;
  return (current.ruleRevision === undefined ? undefined : String(current.ruleRevision)) === rule.revision;
}

function confirmedBy(
  occurrence: Occurrence,
  { because, quotes }: CandidateVerdict,
  { model, accuracy }: JudgedRule,
): Occurrence {
  const { detection } = occurrence;
  const source = detection.confidenceSource;
  // After an earlier verdict of another model, the calculation starts again from the confidence of the Rule alone.
  const candidateConfidence = source?.kind === 'model' ? source.candidateConfidence : detection.diagnosticConfidence;
  const calibrated = calibrateConfidence(detection.ruleKey, candidateConfidence);
  const measured = calibrated.labelled === undefined ? {} : { labelled: calibrated.labelled };
  return {
    ...occurrence,
    detection: {
      ...detection,
      diagnosticConfidence: confirmedConfidence(calibrated.confidence, accuracy),
      confidenceSource: { kind: 'model', model, accuracy, candidateConfidence, ...measured, because, quotes },
    },
  };
}

/** Updates the description of a Finding, if the occurrence is its primary one. */
function withConfirmed(finding: ChangedFinding, occurrence: Occurrence, nowMs: number): ChangedFinding {
  if (finding.head.primary?.id !== occurrence.id) return finding;
  const highestScore = finding.head.diagnosticScore;
  const { head, description } = withPrimary(finding, { occurrence, highestScore });
  return { head: { ...head, updatedAt: nowMs }, description };
}

function known(findings: ReadonlyMap<string, ChangedFinding>, { findingId }: Occurrence): ChangedFinding {
  const finding = findings.get(findingId);
  if (finding === undefined) throw new Error(`An occurrence names the Finding ${findingId}, which does not exist`);
  return finding;
}
