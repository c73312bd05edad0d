import { afterAll, beforeAll } from '@jest/globals';
import { START_TIMEOUT_MS, startCluster, type EmptyCluster } from './test-support/cluster.ts';
import { Flux } from './test-support/flux.ts';
import { describeRollout } from './test-support/rollout.ts';

let started: EmptyCluster;
beforeAll(async () => {
  started = await startCluster();
}, START_TIMEOUT_MS);
afterAll(() => started.stop());

for (const overlay of ['dev', 'production'] as const) {
  describeRollout(`${overlay} by Flux`, {
    ...{ cluster: () => started, overlay },
    toolOf: ({ plane }, { namespace }) => new Flux(plane.api, namespace),
  });
}
