export { createBackfillProgress, pagesOf } from './backfill-progress.ts';
export { createBackfillRunner, type BackfillPace } from './backfill-runner.ts';
export { backfillModel } from './backfill.model.ts';
export { backfillRoutes } from './backfills.routes.ts';
export { createBackfillsService } from './backfills.service.ts';
export { createGoalBackfills } from './goal-backfills.ts';
