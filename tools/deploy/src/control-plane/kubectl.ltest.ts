import { afterAll, beforeAll } from '@jest/globals';
import { START_TIMEOUT_MS, startCluster, type EmptyCluster } from './test-support/cluster.ts';
import { Kubectl } from './test-support/kubectl-tool.ts';
import { describeRollout } from './test-support/rollout.ts';

let started: EmptyCluster;
beforeAll(async () => {
  started = await startCluster();
}, START_TIMEOUT_MS);
afterAll(() => started.stop());
const cluster = () => started;

describeRollout('dev by kubectl', {
  ...{ cluster, overlay: 'dev' },
  toolOf: ({ plane }, installation) => new Kubectl(plane, installation),
});
describeRollout('production by kubectl, on the server and strictly', {
  ...{ cluster, overlay: 'production' },
  toolOf: ({ plane }, installation) => new Kubectl(plane, installation, ['--server-side', '--validate=strict']),
});
