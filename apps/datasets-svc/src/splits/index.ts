export { createSplitPages } from './split-pages.ts';
export { createSplitsService, type SplitsService } from './splits.service.ts';
