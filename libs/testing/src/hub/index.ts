export { startLoopbackHub, type LoopbackHub, type LoopbackHubOptions } from './loopback-hub.ts';
export { syntheticBytes, type HubRepo } from './repository.ts';
export type { Faults, HubRequest } from './traffic.ts';
