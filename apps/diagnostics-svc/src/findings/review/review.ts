import type { ReviewStatus } from '@clew/contracts';
import { AppError } from '@clew/kernel';
import { unresolved, type ResolutionState } from '../resolution/resolution.ts';
import { isActive, type WorkItemView } from '../work-item-view.ts';

export interface ReviewState extends ResolutionState {
  reviewStatus: ReviewStatus;
  /** Time of the confirmation or dismissal; null while unreviewed. */
  reviewedAt: number | null;
}

export interface ReviewMove {
  to: ReviewStatus;
  /** Primary work item, or null. */
  workItem: WorkItemView | null;
  nowMs: number;
}

/**
 * State after a review. Any review status may follow any other. A dismissal also clears the resolution, and is refused
 * while somebody works on a repair. Returns the same object if nothing changes.
 */
export function reviewed<State extends ReviewState>(state: State, { to, workItem, nowMs }: ReviewMove): State {
  if (to === 'dismissed' && workItem !== null && isActive(workItem)) {
    throw new AppError('ACTIVE_WORK_ITEM', 'A Finding with an active work item cannot be dismissed');
  }
  const withReview: State =
    state.reviewStatus === to ? state : { ...state, reviewStatus: to, reviewedAt: to === 'unreviewed' ? null : nowMs };
  return to === 'dismissed' ? unresolved(withReview) : withReview;
}
