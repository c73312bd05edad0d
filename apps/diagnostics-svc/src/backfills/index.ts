export { backfillCollection, backfillModel } from './backfill.model.ts';
export { backfillRoutes } from './backfills.routes.ts';
export { createBackfillsService } from './backfills.service.ts';
export { createBackfillRunner, type BackfillPace } from './backfill-runner.ts';
