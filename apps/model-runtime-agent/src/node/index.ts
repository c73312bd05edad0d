export { startHeartbeat } from './heartbeat.ts';
export { type Home, openHome } from './home.ts';
export { claimNode } from './node-claim.ts';
export { createGpuReader, type ReadGpus } from './node-facts.ts';
