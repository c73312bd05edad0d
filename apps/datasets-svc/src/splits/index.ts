export { createSplitSlices } from './split-slices.ts';
export { createSplitsService, type SplitsService } from './splits.service.ts';
