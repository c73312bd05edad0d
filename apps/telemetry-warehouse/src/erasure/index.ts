export { createErasure, type ErasedServices } from './create-erasure.ts';
export type { SweepLetters } from './erase-letters.ts';
export { eraseDue, startErasureLoop, type ErasureLoopOptions } from './erasure-loop.ts';
export { ensureErasureIndexes, erasureCollection } from './erasure.model.ts';
export { erasureRoutes } from './erasures.routes.ts';
