import type { Detection, ResolutionStatus, ReviewStatus, Severity } from '@clew/contracts';
import { derivedId } from '@clew/kernel';

/** A cluster of detected problems. What describes it comes from its primary occurrence, the first that was detected. */
export interface StoredFinding {
  id: string;
  projectId: string;
  clusterFingerprint: string;
  fingerprintVersion: string;
  ruleId: string;
  ruleKey: string;
  categoryKey: string;
  reviewStatus: ReviewStatus;
  resolutionStatus: ResolutionStatus;
  severity: Severity;
  diagnosticScore: number;
  diagnosticConfidence: number;
  title: string;
  summary: string;
  causeAssessment: string;
  remediationHint: string;
  /** Shown in lists: some conversation shows it, or a person has reviewed it. */
  listed: boolean;
  occurrenceCount: number;
  firstDetectedAt: number;
  lastDetectedAt: number;
  primaryOccurrenceId: string | null;
  anchor: Detection['anchor'] & { conversationId: string };
  evidence: Detection['evidence'];
  evidenceWindow: { startMs: number; endMs: number; conversationIds: string[] };
  analysisRevision: string;
  evidenceSnapshotRevision: string;
  evidenceThroughMs: number;
  createdAt: number;
  updatedAt: number;
  reviewedAt: number | null;
  resolvedAt: number | null;
  regressedAt: number | null;
}

/** That a conversation shows a Finding: one for each Finding and conversation. */
export interface Occurrence {
  id: string;
  findingId: string;
  projectId: string;
  conversationId: string;
  ruleId: string;
  snapshotId: string;
  snapshotRevision: number;
  conversationStartedAt: number;
  throughMs: number;
  detectedAt: number;
  detection: Detection;
}

/** The snapshot that a run evaluated. */
export interface EvaluatedSnapshot {
  snapshotId: string;
  revision: number;
  scope: 'conversation' | 'prefix' | 'traces';
  startedAt: number;
  throughMs: number;
}

/** A window lists at most this many conversations, the latest ones. */
const MAX_WINDOW_CONVERSATIONS = 100;

export function findingIdOf(projectId: string, clusterFingerprint: string): string {
  return derivedId('fnd', projectId, clusterFingerprint);
}

export function occurrenceOf(
  projectId: string,
  conversationId: string,
  snapshot: EvaluatedSnapshot,
  detection: Detection,
  nowMs: number,
): Occurrence {
  const findingId = findingIdOf(projectId, detection.clusterFingerprint);
  return {
    id: derivedId('occ', findingId, conversationId),
    findingId,
    projectId,
    conversationId,
    ruleId: detection.ruleId,
    snapshotId: snapshot.snapshotId,
    snapshotRevision: snapshot.revision,
    conversationStartedAt: snapshot.startedAt,
    throughMs: snapshot.throughMs,
    detectedAt: nowMs,
    detection,
  };
}

/** The Finding that a first occurrence makes. */
export function newFinding(occurrence: Occurrence): StoredFinding {
  const { detection, projectId, detectedAt } = occurrence;
  const empty: Undescribed = {
    id: occurrence.findingId,
    projectId,
    clusterFingerprint: detection.clusterFingerprint,
    fingerprintVersion: detection.fingerprintVersion,
    ruleId: detection.ruleId,
    ruleKey: detection.ruleKey,
    categoryKey: detection.categoryKey,
    reviewStatus: 'unreviewed',
    resolutionStatus: 'unresolved',
    listed: true,
    occurrenceCount: 0,
    firstDetectedAt: detectedAt,
    lastDetectedAt: detectedAt,
    evidenceWindow: { startMs: occurrence.conversationStartedAt, endMs: occurrence.throughMs, conversationIds: [] },
    createdAt: detectedAt,
    updatedAt: detectedAt,
    reviewedAt: null,
    resolvedAt: null,
    regressedAt: null,
  };
  return withOccurrence(describedBy(empty, occurrence), occurrence);
}

/** A further conversation shows the Finding. */
export function withOccurrence(finding: StoredFinding, occurrence: Occurrence): StoredFinding {
  const revived = finding.primaryOccurrenceId === null ? describedBy(finding, occurrence) : finding;
  const { startMs, endMs, conversationIds } = revived.evidenceWindow;
  return {
    ...revived,
    listed: true,
    occurrenceCount: finding.occurrenceCount + 1,
    lastDetectedAt: Math.max(finding.lastDetectedAt, occurrence.detectedAt),
    evidenceWindow: {
      startMs: Math.min(startMs, occurrence.conversationStartedAt),
      endMs: Math.max(endMs, occurrence.throughMs),
      conversationIds: [...conversationIds, occurrence.conversationId].slice(-MAX_WINDOW_CONVERSATIONS),
    },
    evidenceThroughMs: Math.max(revived.evidenceThroughMs, occurrence.throughMs),
    updatedAt: occurrence.detectedAt,
  };
}

/** A newer snapshot of a conversation shows the Finding again. */
export function withNewerOccurrence(finding: StoredFinding, occurrence: Occurrence): StoredFinding {
  const isPrimary = finding.primaryOccurrenceId === occurrence.id || finding.primaryOccurrenceId === null;
  const described = isPrimary ? describedBy(finding, occurrence) : finding;
  return {
    ...described,
    lastDetectedAt: Math.max(finding.lastDetectedAt, occurrence.detectedAt),
    evidenceWindow: {
      ...finding.evidenceWindow,
      startMs: Math.min(finding.evidenceWindow.startMs, occurrence.conversationStartedAt),
      endMs: Math.max(finding.evidenceWindow.endMs, occurrence.throughMs),
    },
    evidenceThroughMs: Math.max(described.evidenceThroughMs, occurrence.throughMs),
    updatedAt: occurrence.detectedAt,
  };
}

/** A newer snapshot no longer shows the Finding. One that nothing shows and nobody reviewed leaves the lists. */
export function withoutOccurrence(finding: StoredFinding, withdrawn: Occurrence, nowMs: number): StoredFinding {
  const occurrenceCount = Math.max(0, finding.occurrenceCount - 1);
  const wasPrimary = finding.primaryOccurrenceId === withdrawn.id;
  return {
    ...finding,
    occurrenceCount,
    listed: occurrenceCount > 0 || finding.reviewStatus !== 'unreviewed',
    primaryOccurrenceId: wasPrimary ? null : finding.primaryOccurrenceId,
    evidenceWindow: {
      ...finding.evidenceWindow,
      conversationIds: finding.evidenceWindow.conversationIds.filter((id) => id !== withdrawn.conversationId),
    },
    updatedAt: nowMs,
  };
}

type Undescribed = Omit<
  StoredFinding,
  | 'severity'
  | 'diagnosticScore'
  | 'diagnosticConfidence'
  | 'title'
  | 'summary'
  | 'causeAssessment'
  | 'remediationHint'
  | 'primaryOccurrenceId'
  | 'anchor'
  | 'evidence'
  | 'analysisRevision'
  | 'evidenceSnapshotRevision'
  | 'evidenceThroughMs'
>;

/** The Finding with everything that comes from its primary occurrence, which is `occurrence` from now on. */
export function describedBy(finding: Undescribed, occurrence: Occurrence): StoredFinding {
  const { detection } = occurrence;
  const { severity, diagnosticScore, diagnosticConfidence } = detection;
  const { title, summary, causeAssessment, remediationHint, evidence } = detection;
  return {
    ...finding,
    ...{ severity, diagnosticScore, diagnosticConfidence },
    ...{ title, summary, causeAssessment, remediationHint, evidence },
    primaryOccurrenceId: occurrence.id,
    anchor: { conversationId: occurrence.conversationId, ...detection.anchor },
    analysisRevision: derivedId('drv', occurrence.snapshotId, detection.ruleId, detection.fingerprintVersion),
    evidenceSnapshotRevision: occurrence.snapshotId,
    evidenceThroughMs: occurrence.throughMs,
  };
}
