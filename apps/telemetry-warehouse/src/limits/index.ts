export { createBatcher } from './batcher.ts';
export { createGate } from './gate.ts';
