import { AppError } from '@clew/kernel';
import { awaitingVerification, unresolved } from '../findings/resolution/resolution.ts';
import { reviewed } from '../findings/review/review.ts';
import type { FindingHead } from '../findings/finding.ts';
import { alreadyMerged } from '../findings/clusters/merge.ts';
import { withNewState } from '../findings/changes/index.ts';
import { failed, requireCurrent, synced, type StoredWorkItem, type Synced, type TimedReading } from './work-item.ts';

/** Checks that the repair of a Finding can be handed over, in the order of the specification. */
export function requireFree(finding: FindingHead): void {
  requireOpen(finding);
  if (finding.workItem != null) {
    throw new AppError('WORK_ITEM_ALREADY_EXISTS', 'The Finding has a work item already');
  }
}

/** Checks that the repair of a Finding can be handed over anew, in place of this work item. */
export function requireReplaceable(finding: FindingHead, item: StoredWorkItem): void {
  requireCurrent(item);
  requireOpen(finding);
}

function requireOpen(finding: FindingHead): void {
  if (finding.mergedInto !== undefined) throw alreadyMerged(finding);
  if (finding.reviewStatus === 'dismissed') {
    throw new AppError('FINDING_DISMISSED', 'The Finding is dismissed: there is nothing to repair');
  }
}

/**
 * Finding whose repair was handed over: that confirms it, and a resolution without an ended repair does not hold. A
 * regression stays one until the repair is done.
 */
export function handedOver(finding: FindingHead, nowMs: number): FindingHead {
  const confirmed =
    finding.reviewStatus === 'unreviewed' ? reviewed(finding, { to: 'confirmed', workItem: null, nowMs }) : finding;
  const open = confirmed.resolutionStatus === 'regressed' ? confirmed : unresolved(confirmed);
  return withNewState(finding, { ...open }, nowMs);
}

/** Finding without its work item, which was abandoned; what is known of its resolution stays. */
export function withoutRepair(finding: FindingHead, nowMs: number): FindingHead {
  return withNewState(finding, { ...finding }, nowMs);
}

export interface RepairProgress {
  before: Pick<StoredWorkItem, 'status' | 'doneReason'>;
  after: Pick<StoredWorkItem, 'status' | 'doneReason'>;
  /** Clean exposures that resolve the Finding. */
  requiredExposures: number;
  nowMs: number;
}

/** Finding after a move of its work item at the provider; the same object if nothing changes. */
export function withProgress(finding: FindingHead, progress: RepairProgress): FindingHead {
  const { before, after, requiredExposures, nowMs } = progress;
  if (finding.reviewStatus === 'dismissed') return finding;
  if (before.status === after.status && before.doneReason === after.doneReason) return finding;
  if (after.status === 'done') {
    const state =
      after.doneReason === 'completed'
        ? awaitingVerification(finding, { requiredExposures, nowMs })
        : unresolved(finding);
    return withNewState(finding, state, nowMs);
  }
  if (before.status !== 'done' || finding.resolutionStatus === 'regressed') return finding;
  return withNewState(finding, unresolved(finding), nowMs);
}

/**
 * Work item after its issue was read. Nobody works on a dismissed Finding: its work item stays done where the issue was
 * opened again.
 */
export function readFor(finding: FindingHead, item: StoredWorkItem, timed: TimedReading, nowMs: number): Synced {
  const result = synced(item, timed, nowMs);
  const isReopened = item.status === 'done' && result.item.status !== 'done';
  if (!isReopened || finding.reviewStatus !== 'dismissed') return result;
  return { item: failed(item, REOPENED, nowMs), outcome: 'not_syncable' };
}

const REOPENED = 'The issue was opened again, but its Finding is dismissed';
