import type { Finding } from '@clew/contracts';
import type { FindingHead, StoredFinding } from './finding.ts';
import { currentSnooze } from './snooze.ts';

/** Address of a project in the Workbench. */
export function projectUrlOf(publicUrl: string, projectId: string): string {
  return `${publicUrl.replace(/\/$/, '')}/p/${projectId}`;
}

/** Address of a Finding in the Workbench. */
export function findingUrlOf(publicUrl: string, { projectId, id }: Pick<FindingHead, 'projectId' | 'id'>): string {
  return `${projectUrlOf(publicUrl, projectId)}/findings/${id}`;
}

/**
 * Finding as callers see it at that moment; with the address of its page, if that of the Workbench is given. It names
 * each field, since pages hold hundreds of Findings, and a copy of the others at each step would take most of the time.
 */
export function findingView(finding: StoredFinding, nowMs: number, publicUrl?: string): Finding {
  const { anchor, window, categoryKey, ruleId, ruleKey } = finding;
  const view: Finding = {
    id: finding.id,
    projectId: finding.projectId,
    clusterFingerprint: finding.clusterFingerprint,
    fingerprintVersion: finding.fingerprintVersion,
    reviewStatus: finding.reviewStatus,
    resolutionStatus: finding.resolutionStatus,
    severity: finding.severity,
    diagnosticScore: finding.diagnosticScore,
    diagnosticConfidence: finding.diagnosticConfidence,
    confidenceSource: finding.confidenceSource,
    title: finding.title,
    summary: finding.summary,
    causeAssessment: finding.causeAssessment,
    remediationHint: finding.remediationHint,
    metadata: { categoryKey, diagnosticRule: { ruleId, ruleKey } },
    occurrenceCount: finding.occurrenceCount,
    firstDetectedAt: finding.firstDetectedAt,
    lastDetectedAt: finding.lastDetectedAt,
    conversationId: anchor.conversationId,
    diagnosticAnchor: anchor,
    evidence: finding.evidence,
    evidenceWindow: {
      startMs: Math.min(...window.map(({ startMs }) => startMs)),
      endMs: Math.max(...window.map(({ endMs }) => endMs)),
      conversationIds: window.map(({ conversationId }) => conversationId),
    },
    analysisRevision: finding.analysisRevision,
    evidenceSnapshotRevision: finding.evidenceSnapshotRevision,
    evidenceThroughMs: finding.evidenceThroughMs,
    createdAt: finding.createdAt,
    updatedAt: finding.updatedAt,
    reviewedAt: finding.reviewedAt,
    resolvedAt: finding.resolvedAt,
    regressedAt: finding.regressedAt,
    verification: finding.verification,
    assignee: finding.assignee,
    snooze: currentSnooze(finding, nowMs),
    mergedInto: finding.mergedInto ?? null,
    mergedFindingIds: [...(finding.memberIds ?? [])],
    splitFrom: finding.splitFrom ?? null,
    splits: [...(finding.splits ?? [])],
    workItem: finding.workItem ?? null,
  };
  if (publicUrl !== undefined) view.workbenchUrl = findingUrlOf(publicUrl, finding);
  return view;
}

/** Entity tag of the state that people set, and of regressions; further detections do not change it. */
export function findingEtag({ id, revision }: Pick<FindingHead, 'id' | 'revision'>): string {
  return `"${id}.${revision}"`;
}
