import { afterAll, beforeAll } from '@jest/globals';
import { Argo } from './test-support/argo.ts';
import { START_TIMEOUT_MS, startCluster, type EmptyCluster } from './test-support/cluster.ts';
import { describeRollout } from './test-support/rollout.ts';

let started: EmptyCluster;
beforeAll(async () => {
  started = await startCluster();
}, START_TIMEOUT_MS);
afterAll(() => started.stop());

for (const overlay of ['dev', 'production'] as const) {
  describeRollout(`${overlay} by Argo CD`, {
    ...{ cluster: () => started, overlay },
    toolOf: ({ plane }) => new Argo(plane, `an-application-of-${overlay}`),
  });
}
