export { createRetention } from './create-retention.ts';
export type { ExpireWords } from './expire-words.ts';
export { DAY_MS, type Mechanism } from './mechanism.ts';
export { startRetentionLoop, sweepDue } from './retention-loop.ts';
export { retentionRoutes } from './retention.routes.ts';
export { ensureSweepIndexes, sweepCollection } from './sweep.model.ts';
