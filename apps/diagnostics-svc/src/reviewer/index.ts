export { addAgents } from './add-agents.ts';
export { comparisonCollection, comparisonModel } from './comparisons/index.ts';
export type { ReviewBackfills } from './backfill-reviews.ts';
export { createReviewer, type Reviewer } from './create-reviewer.ts';
export { failureRateOf } from './failure-rate.ts';
export { createEraseProblems } from './erase-problems.ts';
export { moveUsage } from './move-usage.ts';
export { createReviewRecordStore, FAILED_FROM, type ReviewRecordStore } from './review-records.store.ts';
export { reviewRoutes } from './reviews.routes.ts';
export { CONVERSATION_REVIEW } from './review-rule.ts';
export {
  problemClusterCollection,
  problemClusterModel,
  reviewCollection,
  reviewDayModel,
  reviewModel,
} from './reviews.model.ts';
