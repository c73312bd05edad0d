import { analysisCompleted, type Detection } from '@clew/contracts';
import { derivedId, sha256Hex } from '@clew/kernel';
import type { EvaluatedSnapshot } from '../findings/occurrence.ts';
import type { AnalysisResult } from '../results/apply-results.ts';
import { queuedRun } from '../runs/analysis-run.ts';

export const PROJECT_ID = `prj_${'1'.repeat(26)}`;
export const OTHER_PROJECT_ID = `prj_${'2'.repeat(26)}`;
/** When the conversations of the builders began. */
export const STARTED_AT = 1_700_000_000_000;

/** What a Rule says of one cluster; the text names the snapshot, so that a test sees where a description is from. */
export function detectionOf(cluster: string, overrides: Partial<Detection> = {}): Detection {
  const location = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), stepIndex: 1, quotes: [{ quote: cluster }] };
  return {
    ruleId: 'rule_a',
    ruleKey: 'a',
    categoryKey: 'tools',
    fingerprintVersion: 'finding-cluster-v1',
    clusterFingerprint: sha256Hex(cluster),
    severity: 'high',
    diagnosticScore: 0.8,
    diagnosticConfidence: 0.9,
    title: cluster,
    summary: `${cluster} was seen`,
    causeAssessment: 'Nobody handles it',
    remediationHint: 'Handle it',
    signals: ['signal'],
    anchor: location,
    evidence: [{ ref: 'ev_1', kind: 'message', title: cluster, summary: cluster, url: null, location }],
    ...overrides,
  };
}

export interface ResultParts {
  projectId?: string;
  conversationId?: string;
  /** The whole of revision 1 by default. */
  snapshot?: Partial<EvaluatedSnapshot>;
  /** By Rule: the clusters that it found, or how else its run ended. */
  found: Readonly<Record<string, readonly (string | Detection)[] | 'failed' | 'skipped'>>;
}

/** A result as a worker sends it; the same parts give the same message. */
export function resultOf(parts: ResultParts): AnalysisResult {
  const { projectId = PROJECT_ID, conversationId = 'conversation-1', found } = parts;
  const snapshot = snapshotOf(projectId, conversationId, parts.snapshot);
  const { snapshotId } = snapshot;
  const runs = Object.entries(found).map(([ruleId, outcome]) => ({
    runId: queuedRun({ projectId, conversationId, snapshotId }, ruleId, 0).id,
    ruleId,
    outcome:
      typeof outcome === 'string'
        ? { status: outcome, reason: `it ${outcome}` }
        : { status: 'succeeded' as const, detections: outcome.map((each) => detectionFor(ruleId, snapshotId, each)) },
  }));
  const key = sha256Hex(JSON.stringify([projectId, conversationId, snapshot, runs]));
  return {
    id: `${analysisCompleted.type}:${key}`,
    type: analysisCompleted.type,
    version: analysisCompleted.version,
    occurredAt: STARTED_AT,
    projectId,
    requestId: null,
    data: { conversationId, snapshot, runs },
  };
}

function detectionFor(ruleId: string, snapshotId: string, cluster: string | Detection): Detection {
  if (typeof cluster !== 'string') return cluster;
  return detectionOf(cluster, { ruleId, summary: `${cluster} in ${snapshotId}` });
}

export function snapshotOf(
  projectId: string,
  conversationId: string,
  overrides: Partial<EvaluatedSnapshot> = {},
): EvaluatedSnapshot {
  const { revision = 1, scope = 'conversation', startedAt = STARTED_AT } = overrides;
  const throughMs = overrides.throughMs ?? STARTED_AT + revision * 1_000;
  const snapshotId =
    overrides.snapshotId ?? derivedId('cesr', projectId, conversationId, scope, String(revision), String(throughMs));
  return { snapshotId, revision, scope, startedAt, throughMs };
}
