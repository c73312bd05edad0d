import type { CandidateVerdict } from '@clew/contracts';
import { calibrateConfidence, NEVER_WITHDRAWN } from '@clew/rules';
import { withoutOccurrence, withPrimary, type ChangedFinding } from '../findings/finding.ts';
import type { Occurrence, OccurrenceHead } from '../findings/occurrence.ts';
import { conversationKey, type AnalysedConversation, type ResultState } from '../results/result-state.ts';
import { findingCountOf, headOfState } from '../results/with-clusters.ts';
import { confirmedConfidence, type AdjudicationTarget } from './adjudication.ts';

/** What a judge said of what a Rule found in a snapshot, and what of that is still shown. */
export interface JudgedRule extends AdjudicationTarget {
  model: string;
  accuracy: number;
  verdicts: readonly CandidateVerdict[];
  /** The conversation's occurrences of the Rule, in that revision, that are from the snapshot. */
  occurrences: readonly Occurrence[];
}

/** The state after a verdict, and what is left of the Rule's findings in the snapshot. */
export interface Judged {
  state: ResultState;
  left: readonly Occurrence[];
}

/**
 * Withdraws what was refuted, unless it is about safety, and says of what was confirmed how sure that is now. Neither
 * counts anything anew: an occurrence stays the one that it was, detected when it was. What comes from another snapshot is
 * none of the verdict's business.
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

/** What a later snapshot, or the same under another configuration, shows in its place was not judged. */
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
  // Judged before, by another model: what the Rule alone said is the beginning again.
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

/** A Finding tells of its primary occurrence alone. */
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
