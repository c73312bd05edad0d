import type { Detection, ResolutionStatus, ReviewStatus, Severity } from '@clew/contracts';
import { derivedId } from '@clew/kernel';
import type { Occurrence, OccurrenceHead } from './occurrence.ts';

/** A conversation that shows a Finding, with the time that it spans. */
export interface WindowEntry {
  occurrenceId: string;
  conversationId: string;
  startMs: number;
  endMs: number;
}

/** A cluster of detected problems, without its description. */
export interface FindingHead {
  id: string;
  projectId: string;
  clusterFingerprint: string;
  fingerprintVersion: string;
  ruleId: string;
  ruleKey: string;
  categoryKey: string;
  reviewStatus: ReviewStatus;
  resolutionStatus: ResolutionStatus;
  /** Shown in lists: some conversation shows it, or a person has reviewed it. */
  listed: boolean;
  occurrenceCount: number;
  firstDetectedAt: number;
  lastDetectedAt: number;
  /** The first detected occurrence; null while none is left, or until the next one is handed its place. */
  primaryOccurrenceId: string | null;
  /** The primary occurrence's conversation and the latest others, at most `MAX_WINDOW_CONVERSATIONS`. Never empty. */
  window: readonly WindowEntry[];
  createdAt: number;
  updatedAt: number;
  reviewedAt: number | null;
  resolvedAt: number | null;
  regressedAt: number | null;
}

/** What a Finding says, all of it from its primary occurrence. */
export interface FindingDescription {
  severity: Severity;
  diagnosticScore: number;
  diagnosticConfidence: number;
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
  const isFirst = head.occurrenceCount === 0;
  const next: FindingHead = {
    ...head,
    listed: true,
    occurrenceCount: head.occurrenceCount + 1,
    lastDetectedAt: Math.max(head.lastDetectedAt, occurrence.lastDetectedAt),
    primaryOccurrenceId: isFirst ? occurrence.id : head.primaryOccurrenceId,
    window: isFirst ? [windowEntryOf(occurrence)] : extendedWindow(head, occurrence),
    updatedAt: occurrence.lastDetectedAt,
  };
  return { head: next, description: isFirst ? descriptionOf(occurrence) : description };
}

/** A better snapshot of a conversation shows the Finding again. */
export function withRenewedOccurrence({ head, description }: ChangedFinding, occurrence: Occurrence): ChangedFinding {
  const next: FindingHead = {
    ...head,
    lastDetectedAt: Math.max(head.lastDetectedAt, occurrence.lastDetectedAt),
    window: extendedWindow(head, occurrence),
    updatedAt: occurrence.lastDetectedAt,
  };
  const isPrimary = head.primaryOccurrenceId === occurrence.id;
  return { head: next, description: isPrimary ? descriptionOf(occurrence) : description };
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
    occurrenceCount,
    listed: !isLast || head.reviewStatus !== 'unreviewed',
    primaryOccurrenceId: head.primaryOccurrenceId === withdrawn.id ? null : head.primaryOccurrenceId,
    window: isLast ? head.window : head.window.filter(({ occurrenceId }) => occurrenceId !== withdrawn.id),
    updatedAt: nowMs,
  };
  return { head: next, description };
}

/** Whether the primary occurrence is gone while others are left: the first detected of them takes its place. */
export function lacksPrimary({ head }: ChangedFinding): boolean {
  return head.primaryOccurrenceId === null && head.occurrenceCount > 0;
}

/** The Finding with another primary occurrence. */
export function withPrimary({ head }: ChangedFinding, occurrence: Occurrence): ChangedFinding {
  const withNewPrimary = { ...head, primaryOccurrenceId: occurrence.id };
  const isInWindow = head.window.some(({ occurrenceId }) => occurrenceId === occurrence.id);
  return {
    head: isInWindow ? withNewPrimary : { ...withNewPrimary, window: extendedWindow(withNewPrimary, occurrence) },
    description: descriptionOf(occurrence),
  };
}

function blankFinding({ findingId, projectId, ruleId, detection, firstDetectedAt }: Occurrence): FindingHead {
  const { clusterFingerprint, fingerprintVersion, ruleKey, categoryKey } = detection;
  return {
    ...{ id: findingId, projectId, clusterFingerprint, fingerprintVersion, ruleId, ruleKey, categoryKey },
    reviewStatus: 'unreviewed',
    resolutionStatus: 'unresolved',
    listed: true,
    occurrenceCount: 0,
    firstDetectedAt,
    lastDetectedAt: firstDetectedAt,
    primaryOccurrenceId: null,
    window: [],
    createdAt: firstDetectedAt,
    updatedAt: firstDetectedAt,
    ...{ reviewedAt: null, resolvedAt: null, regressedAt: null },
  };
}

function windowEntryOf({ id, conversationId, conversationStartedAt, throughMs }: OccurrenceHead): WindowEntry {
  return { occurrenceId: id, conversationId, startMs: conversationStartedAt, endMs: throughMs };
}

/** The window with the occurrence as its latest; the oldest that is not the primary one makes room for it. */
function extendedWindow({ window, primaryOccurrenceId }: FindingHead, occurrence: OccurrenceHead): WindowEntry[] {
  const others = window.filter(({ occurrenceId }) => occurrenceId !== occurrence.id);
  if (others.length >= MAX_WINDOW_CONVERSATIONS) {
    others.splice(others[0]?.occurrenceId === primaryOccurrenceId ? 1 : 0, 1);
  }
  return [...others, windowEntryOf(occurrence)];
}

function descriptionOf(occurrence: Occurrence): FindingDescription {
  const { detection, conversationId, snapshotId, throughMs } = occurrence;
  const { severity, diagnosticScore, diagnosticConfidence, evidence } = detection;
  const { title, summary, causeAssessment, remediationHint, anchor } = detection;
  return {
    ...{ severity, diagnosticScore, diagnosticConfidence, evidence },
    ...{ title, summary, causeAssessment, remediationHint },
    anchor: { ...anchor, conversationId },
    analysisRevision: derivedId('drv', snapshotId, detection.ruleId, detection.fingerprintVersion),
    evidenceSnapshotRevision: snapshotId,
    evidenceThroughMs: throughMs,
  };
}
