import { derivedId } from '@clew/kernel';

/** One evaluation of one Rule on one snapshot of a conversation. */
export interface AnalysisRun {
  id: string;
  projectId: string;
  conversationId: string;
  snapshotId: string;
  ruleId: string;
  state: 'queued' | 'running' | 'succeeded' | 'failed' | 'skipped';
  /** Why it failed or was skipped. */
  reason: string | null;
  createdAt: number;
  finishedAt: number | null;
}

export interface RunTarget {
  projectId: string;
  conversationId: string;
  snapshotId: string;
}

/** A Rule runs once on a snapshot, whoever asks and however often: the id says what is run. */
export function queuedRun(target: RunTarget, ruleId: string, nowMs: number): AnalysisRun {
  const { projectId, conversationId, snapshotId } = target;
  return {
    id: derivedId('run', projectId, conversationId, snapshotId, ruleId),
    projectId,
    conversationId,
    snapshotId,
    ruleId,
    state: 'queued',
    reason: null,
    createdAt: nowMs,
    finishedAt: null,
  };
}
