export { createActivity } from './activity.ts';
export { createBatcher } from './batcher.ts';
export { createGate } from './gate.ts';
export { createGiveWay, type GiveWay } from './give-way.ts';
