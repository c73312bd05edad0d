import type { ReviewStatus } from '@clew/contracts';
import { AppError } from '@clew/kernel';
import { unresolved, type ResolutionState } from '../resolution/resolution.ts';
import { isActive, type WorkItemView } from '../work-item-view.ts';

export interface ReviewState extends ResolutionState {
  reviewStatus: ReviewStatus;
  /** When it came to be confirmed or dismissed; null while unreviewed. */
  reviewedAt: number | null;
}

export interface ReviewMove {
  to: ReviewStatus;
  /** The primary work item, or null. */
  workItem: WorkItemView | null;
  nowMs: number;
}

/**
 * Any review status follows any other. A dismissal clears the resolution too, and is refused while somebody works on a
 * repair. A move that changes nothing gives back the same object.
 */
export function reviewed<State extends ReviewState>(state: State, { to, workItem, nowMs }: ReviewMove): State {
  if (to === 'dismissed' && workItem !== null && isActive(workItem)) {
    throw new AppError('ACTIVE_WORK_ITEM', 'A Finding with an active work item cannot be dismissed');
  }
  const withReview: State =
    state.reviewStatus === to ? state : { ...state, reviewStatus: to, reviewedAt: to === 'unreviewed' ? null : nowMs };
  return to === 'dismissed' ? unresolved(withReview) : withReview;
}
