import type { ConfidenceSource, Detection, Severity, Situation, WorkItem } from '@clew/contracts';
import { derivedId } from '@clew/kernel';
import { describesBefore, severityOf, type Occurrence, type OccurrenceHead, type Rank } from './occurrence.ts';
import { shownAgain, UNRESOLVED } from './resolution/resolution.ts';
import type { ReviewState } from './review/review.ts';
import type { ClusterState } from './clusters/cluster-state.ts';
import { withFurtherOccurrence, type SnoozeState } from './snooze.ts';

/** Conversation that shows a Finding, with its time span. */
export interface WindowEntry {
  occurrenceId: string;
  conversationId: string;
  startMs: number;
  endMs: number;
}

/**
 * Occurrence that describes a Finding: the most severe, then the one with the highest score, then the first detected.
 */
export interface PrimaryOccurrence extends Rank {
  conversationId: string;
  /** Finding as which it was detected, if that was merged into this one. */
  findingId?: string;
}

/** Cluster of detected problems, without its description. */
export interface FindingHead extends ReviewState, SnoozeState, ClusterState {
  id: string;
  projectId: string;
  clusterFingerprint: string;
  fingerprintVersion: string;
  ruleId: string;
  ruleKey: string;
  categoryKey: string;
  /** Person who is responsible for it. */
  assignee: string | null;
  /** Grows with every change, which shows the later of two events. */
  sequence: number;
  /** Grows with every change that people make. */
  revision: number;
  /** Whether lists show it: a conversation shows it, or a person has reviewed or resolved it. */
  listed: boolean;
  /** Situation that its problem needs to occur; absent if any conversation may show it. */
  situation?: Situation | undefined;
  /** Worst severity of its current occurrences. */
  severity: Severity;
  /** Highest score of its current occurrences. */
  diagnosticScore: number;
  occurrenceCount: number;
  firstDetectedAt: number;
  lastDetectedAt: number;
  /** Null if no occurrence is left, or until the next one takes its place. */
  primary: PrimaryOccurrence | null;
  /** Conversation of the primary occurrence and the latest others, at most `MAX_WINDOW_CONVERSATIONS`. Never empty. */
  window: readonly WindowEntry[];
  /** Primary work item as it was last written; null or absent if there is none. */
  workItem?: WorkItem | null | undefined;
  createdAt: number;
  updatedAt: number;
}

/** Finding before and after a change; `before` is undefined for a new Finding. */
export interface FindingMove {
  before: FindingHead | undefined;
  after: FindingHead;
}

/** Description of a Finding, all of it from its primary occurrence. */
export interface FindingDescription {
  diagnosticConfidence: number;
  confidenceSource: ConfidenceSource;
  title: string;
  summary: string;
  causeAssessment: string;
  remediationHint: string;
  anchor: Detection['anchor'] & { conversationId: string };
  evidence: Detection['evidence'];
  analysisRevision: string;
  evidenceSnapshotRevision: string;
  /** Time up to which the snapshot of the evidence goes. */
  evidenceThroughMs: number;
}

export type StoredFinding = FindingHead & FindingDescription;

/** Finding as results change it; the description, which is large, is present only if it changes. */
export interface ChangedFinding {
  head: FindingHead;
  description?: FindingDescription | undefined;
}

export const MAX_WINDOW_CONVERSATIONS = 100;

/** Finding after a conversation has shown it for the first time. */
export function withOccurrence(finding: ChangedFinding | undefined, occurrence: Occurrence): ChangedFinding {
  const { head, description } = finding ?? { head: blankFinding(occurrence) };
  const counted = withFurtherOccurrence({ ...head, occurrenceCount: head.occurrenceCount + 1 });
  return shown({ head: counted, description }, occurrence, head.occurrenceCount === 0 ? 'first' : 'further');
}

/** Finding that was split off, before it gets its first conversation. */
export function splitOff(parent: FindingHead, id: string, clusterFingerprint: string, first: Occurrence): FindingHead {
  return { ...blankFinding({ ...first, findingId: id }), clusterFingerprint, splitFrom: parent.id };
}

/** Finding after a better snapshot of a conversation has shown it again. */
export function withRenewedOccurrence(finding: ChangedFinding, occurrence: Occurrence): ChangedFinding {
  return shown(finding, occurrence, 'again');
}

function shown(
  { head, description }: ChangedFinding,
  occurrence: Occurrence,
  as: 'first' | 'further' | 'again',
): ChangedFinding {
  const nowMs = occurrence.lastDetectedAt;
  const isFirst = as === 'first';
  const next: FindingHead = shownAgain(
    {
      ...head,
      sequence: head.sequence + 1,
      lastDetectedAt: Math.max(head.lastDetectedAt, nowMs),
      window: isFirst ? [windowEntryOf(occurrence)] : extendedWindow(head, occurrence),
      updatedAt: nowMs,
    },
    occurrence.conversationStartedAt,
    nowMs,
  );
  if (next.resolutionStatus !== head.resolutionStatus) next.revision += 1;
  next.listed = isListed(next);
  if (isFirst) return describedBy(next, occurrence, occurrence.diagnosticScore);
  // While the primary occurrence is missing, the new one joins those from which it is chosen later.
  if (head.primary === null) return { head: next, description };
  const isPrimary = head.primary.id === occurrence.id;
  if (as === 'again' && mayHaveLost(head, head.primary, occurrence)) {
    return { head: { ...next, primary: null }, description };
  }
  const highest = Math.max(next.diagnosticScore, occurrence.diagnosticScore);
  if (isPrimary || describesBefore(occurrence, head.primary)) return describedBy(next, occurrence, highest);
  return { head: { ...next, diagnosticScore: highest }, description };
}

/**
 * Finding after a newer snapshot no longer shows it. If no conversation shows it and nobody reviewed it, it leaves the
 * lists. Its last description stays, for its history and for the person who reviewed it.
 */
export function withoutOccurrence(
  { head, description }: ChangedFinding,
  withdrawn: OccurrenceHead,
  nowMs: number,
): ChangedFinding {
  const occurrenceCount = head.occurrenceCount - 1;
  const isLast = occurrenceCount === 0;
  const next: FindingHead = {
    ...head,
    sequence: head.sequence + 1,
    occurrenceCount,
    primary: isLast || isDescribedBy(head, withdrawn) ? null : head.primary,
    window: isLast ? head.window : head.window.filter(({ occurrenceId }) => occurrenceId !== withdrawn.id),
    updatedAt: nowMs,
  };
  next.listed = isListed(next);
  return { head: next, description };
}

/**
 * Whether a renewed occurrence may have lost what the Finding took from it: the primary place, or the highest score.
 */
function mayHaveLost({ diagnosticScore }: FindingHead, primary: PrimaryOccurrence, renewed: Rank): boolean {
  if (primary.id === renewed.id) {
    return describesBefore(primary, renewed) || renewed.diagnosticScore < primary.diagnosticScore;
  }
  return primary.diagnosticScore < diagnosticScore && renewed.diagnosticScore < diagnosticScore;
}

/** Whether a Finding depends on this occurrence: for its description, or for its highest score. */
function isDescribedBy({ primary, diagnosticScore }: FindingHead, occurrence: OccurrenceHead): boolean {
  if (primary === null || primary.id === occurrence.id) return true;
  return occurrence.diagnosticScore >= diagnosticScore && primary.diagnosticScore < diagnosticScore;
}

/** Whether lists show it: a conversation shows it, or a person has reviewed or resolved it, and it is not merged. */
export function isListed({ occurrenceCount, reviewStatus, resolutionStatus, mergedInto }: FindingHead): boolean {
  if (mergedInto !== undefined) return false;
  return occurrenceCount > 0 || reviewStatus !== 'unreviewed' || resolutionStatus !== 'unresolved';
}

/** Whether the primary occurrence is gone while others are left; the worst of these takes its place. */
export function lacksPrimary({ head }: ChangedFinding): boolean {
  return head.primary === null && head.occurrenceCount > 0;
}

/** Finding described by its worst occurrence, with the highest score of all occurrences. */
export function withPrimary({ head }: ChangedFinding, { occurrence, highestScore }: WorstOccurrence): ChangedFinding {
  const described = describedBy(head, occurrence, highestScore);
  const isInWindow = head.window.some(({ occurrenceId }) => occurrenceId === occurrence.id);
  if (isInWindow) return described;
  return { ...described, head: { ...described.head, window: extendedWindow(described.head, occurrence) } };
}

/** Worst of all occurrences of a Finding, and the highest score among them. */
export interface WorstOccurrence {
  occurrence: Occurrence;
  highestScore: number;
}

function describedBy(head: FindingHead, occurrence: Occurrence, diagnosticScore: number): ChangedFinding {
  const { id, conversationId, severityRank, firstDetectedAt, detection } = occurrence;
  const primary = { id, conversationId, severityRank, diagnosticScore: occurrence.diagnosticScore, firstDetectedAt };
  return {
    head: { ...head, primary, severity: severityOf(occurrence), diagnosticScore, situation: detection.situation },
    description: descriptionOf(occurrence),
  };
}

function blankFinding({ findingId, projectId, ruleId, detection, firstDetectedAt }: Occurrence): FindingHead {
  const { clusterFingerprint, fingerprintVersion, ruleKey, categoryKey } = detection;
  return {
    ...{ id: findingId, projectId, clusterFingerprint, fingerprintVersion, ruleId, ruleKey, categoryKey },
    reviewStatus: 'unreviewed',
    reviewedAt: null,
    ...UNRESOLVED,
    ...{ assignee: null, snooze: null, sequence: 0, revision: 1 },
    listed: true,
    severity: detection.severity,
    diagnosticScore: detection.diagnosticScore,
    occurrenceCount: 0,
    firstDetectedAt,
    lastDetectedAt: firstDetectedAt,
    primary: null,
    window: [],
    createdAt: firstDetectedAt,
    updatedAt: firstDetectedAt,
  };
}

function windowEntryOf({ id, conversationId, conversationStartedAt, throughMs }: OccurrenceHead): WindowEntry {
  return { occurrenceId: id, conversationId, startMs: conversationStartedAt, endMs: throughMs };
}

/**
 * Window with the occurrence as its latest entry. If it is full, the oldest entry that is not the primary one is
 * dropped.
 */
function extendedWindow({ window, primary }: FindingHead, occurrence: OccurrenceHead): WindowEntry[] {
  const others = window.filter(({ occurrenceId }) => occurrenceId !== occurrence.id);
  if (others.length >= MAX_WINDOW_CONVERSATIONS) {
    others.splice(others[0]?.occurrenceId === primary?.id ? 1 : 0, 1);
  }
  return [...others, windowEntryOf(occurrence)];
}

function descriptionOf(occurrence: Occurrence): FindingDescription {
  const { detection, conversationId, snapshotId, throughMs } = occurrence;
  const { diagnosticConfidence, evidence } = detection;
  const { title, summary, causeAssessment, remediationHint, anchor } = detection;
  return {
    confidenceSource: detection.confidenceSource ?? { kind: 'rules' },
    ...{ diagnosticConfidence, evidence },
    ...{ title, summary, causeAssessment, remediationHint },
    anchor: { ...anchor, conversationId },
    analysisRevision: derivedId('drv', snapshotId, detection.ruleId, detection.fingerprintVersion),
    evidenceSnapshotRevision: snapshotId,
    evidenceThroughMs: throughMs,
  };
}
