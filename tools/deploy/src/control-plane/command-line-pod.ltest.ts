import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { START_TIMEOUT_MS, startCluster, type EmptyCluster } from './test-support/cluster.ts';
import { Installation } from './test-support/installation.ts';
import { kubectl } from './test-support/kubectl.ts';
import { isSelected, type KubeObject, type Labels } from './test-support/objects.ts';

const TEST_TIMEOUT_MS = 200_000;

let cluster: EmptyCluster;
let within: (...args: string[]) => Promise<string>;
beforeAll(async () => {
  cluster = await startCluster();
  const installation = new Installation(cluster.plane, 'staging', join(cluster.folder, 'staging'));
  within = (...args) => kubectl(cluster.plane, ['-n', installation.namespace, ...args]);
  await installation.makeNamespace();
  await installation.makeSecrets();
  const { folder } = await installation.overlay();
  await kubectl(cluster.plane, ['apply', '-k', folder]);
}, START_TIMEOUT_MS);
afterAll(() => cluster.stop());

it(
  'the command line of the runbooks gets a pod that pod security admits, with a policy of its own',
  async () => {
    await within('create', 'job', 'cli', '--from=cronjob/clew-cli');
    await within('wait', '--for=create', 'pod', '-l', 'job-name=cli', '--timeout=1m');
    await within('wait', '--for=condition=ready', 'pod', '-l', 'job-name=cli', '--timeout=1m');
    const [pod] = itemsOf(await within('get', 'pods', '-l', 'job-name=cli', '-o', 'json'));
    const policies = itemsOf(await within('get', 'networkpolicies', '-o', 'json'));
    const own = policies.filter((policy) => isSelected(pod?.metadata.labels, selectorOf(policy)));
    expect(own.map(({ metadata }) => metadata.name)).toEqual(expect.arrayContaining(['clew-cli', 'default-deny']));
    await within('delete', 'job', 'cli');
  },
  TEST_TIMEOUT_MS,
);

it(
  'a pod that asks for what no process has is refused',
  async () => {
    const refused = within('run', 'cli', '--image=registry.example.com/clew/cli:0.1.0');
    await expect(refused).rejects.toThrow(/violates PodSecurity "restricted:latest"/);
  },
  TEST_TIMEOUT_MS,
);

const itemsOf = (text: string) => (JSON.parse(text) as { items: KubeObject[] }).items;

const selectorOf = (policy: KubeObject) =>
  (policy as KubeObject & { spec: { podSelector: { matchLabels?: Labels } } }).spec.podSelector.matchLabels;
