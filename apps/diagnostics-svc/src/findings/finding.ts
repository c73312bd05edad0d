import type { ConfidenceSource, Detection, Severity } from '@clew/contracts';
import { derivedId } from '@clew/kernel';
import { describesBefore, severityOf, type Occurrence, type OccurrenceHead, type Rank } from './occurrence.ts';
import { shownAgain, UNRESOLVED } from './resolution/resolution.ts';
import type { ReviewState } from './review/review.ts';
import type { ClusterState } from './clusters/cluster-state.ts';
import { withFurtherOccurrence, type SnoozeState } from './snooze.ts';

/** A conversation that shows a Finding, with the time that it spans. */
export interface WindowEntry {
  occurrenceId: string;
  conversationId: string;
  startMs: number;
  endMs: number;
}

/** The occurrence that describes a Finding: the worst, of several the clearest, of several the first detected. */
export interface PrimaryOccurrence extends Rank {
  conversationId: string;
  /** The Finding that it was found as, where that was merged into this one. */
  findingId?: string;
}

/** A cluster of detected problems, without its description. */
export interface FindingHead extends ReviewState, SnoozeState, ClusterState {
  id: string;
  projectId: string;
  clusterFingerprint: string;
  fingerprintVersion: string;
  ruleId: string;
  ruleKey: string;
  categoryKey: string;
  /** Who is to look after it. */
  assignee: string | null;
  /** Grows with every change, so that of two events the later one can be told. */
  sequence: number;
  /** Grows with every change of what people set. */
  revision: number;
  /** Shown in lists: some conversation shows it, or a person has reviewed or resolved it. */
  listed: boolean;
  /** The worst of its current occurrences. */
  severity: Severity;
  /** The highest of its current occurrences. */
  diagnosticScore: number;
  occurrenceCount: number;
  firstDetectedAt: number;
  lastDetectedAt: number;
  /** Null while none is left, or until the next one is handed its place. */
  primary: PrimaryOccurrence | null;
  /** The primary occurrence's conversation and the latest others, at most `MAX_WINDOW_CONVERSATIONS`. Never empty. */
  window: readonly WindowEntry[];
  createdAt: number;
  updatedAt: number;
}

/** A Finding before and after; there is none before the first conversation that shows it. */
export interface FindingMove {
  before: FindingHead | undefined;
  after: FindingHead;
}

/** What a Finding says, all of it from its primary occurrence. */
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
  /** How far the snapshot went that the evidence is from. */
  evidenceThroughMs: number;
}

export type StoredFinding = FindingHead & FindingDescription;

/** A Finding as results change it; the description, which is large, is there only where it changes. */
export interface ChangedFinding {
  head: FindingHead;
  description?: FindingDescription | undefined;
}

export const MAX_WINDOW_CONVERSATIONS = 100;

/** A conversation shows the Finding that did not show it before. */
export function withOccurrence(finding: ChangedFinding | undefined, occurrence: Occurrence): ChangedFinding {
  const { head, description } = finding ?? { head: blankFinding(occurrence) };
  const counted = withFurtherOccurrence({ ...head, occurrenceCount: head.occurrenceCount + 1 });
  return shown({ head: counted, description }, occurrence, head.occurrenceCount === 0 ? 'first' : 'further');
}

/** A Finding that was split off, before the first conversation that it gets. */
export function splitOff(parent: FindingHead, id: string, clusterFingerprint: string, first: Occurrence): FindingHead {
  return { ...blankFinding({ ...first, findingId: id }), clusterFingerprint, splitFrom: parent.id };
}

/** A better snapshot of a conversation shows the Finding again. */
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
  // Where another one is to be found, what comes meanwhile is among those that it is found from.
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
 * A newer snapshot no longer shows the Finding. One that nothing shows and nobody reviewed leaves the lists; what it
 * said last stays, for its history and for the person who reviewed it.
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

/** Whether an occurrence that was renewed may no longer have what the Finding had from it: its place, or the score. */
function mayHaveLost({ diagnosticScore }: FindingHead, primary: PrimaryOccurrence, renewed: Rank): boolean {
  if (primary.id === renewed.id) {
    return describesBefore(primary, renewed) || renewed.diagnosticScore < primary.diagnosticScore;
  }
  return primary.diagnosticScore < diagnosticScore && renewed.diagnosticScore < diagnosticScore;
}

/** Whether a Finding says something that it has from this occurrence alone: all of it, or the highest score. */
function isDescribedBy({ primary, diagnosticScore }: FindingHead, occurrence: OccurrenceHead): boolean {
  if (primary === null || primary.id === occurrence.id) return true;
  return occurrence.diagnosticScore >= diagnosticScore && primary.diagnosticScore < diagnosticScore;
}

/** Shown in lists: some conversation shows it, or a person has reviewed or resolved it; and it is not merged. */
export function isListed({ occurrenceCount, reviewStatus, resolutionStatus, mergedInto }: FindingHead): boolean {
  if (mergedInto !== undefined) return false;
  return occurrenceCount > 0 || reviewStatus !== 'unreviewed' || resolutionStatus !== 'unresolved';
}

/** Whether what it says is gone while others are left: the worst of them takes its place. */
export function lacksPrimary({ head }: ChangedFinding): boolean {
  return head.primary === null && head.occurrenceCount > 0;
}

/** The Finding described by its worst occurrence, with the highest score of all. */
export function withPrimary({ head }: ChangedFinding, { occurrence, highestScore }: WorstOccurrence): ChangedFinding {
  const described = describedBy(head, occurrence, highestScore);
  const isInWindow = head.window.some(({ occurrenceId }) => occurrenceId === occurrence.id);
  if (isInWindow) return described;
  return { ...described, head: { ...described.head, window: extendedWindow(described.head, occurrence) } };
}

/** What a Finding is described by, found among all of its occurrences. */
export interface WorstOccurrence {
  occurrence: Occurrence;
  highestScore: number;
}

function describedBy(head: FindingHead, occurrence: Occurrence, diagnosticScore: number): ChangedFinding {
  const { id, conversationId, severityRank, firstDetectedAt } = occurrence;
  const primary = { id, conversationId, severityRank, diagnosticScore: occurrence.diagnosticScore, firstDetectedAt };
  return {
    head: { ...head, primary, severity: severityOf(occurrence), diagnosticScore },
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

/** The window with the occurrence as its latest; the oldest that is not the primary one makes room for it. */
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
