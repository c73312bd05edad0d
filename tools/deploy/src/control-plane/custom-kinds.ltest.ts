import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually } from '@clew/testing';
import { DEFINITIONS } from '../test-support/custom-kinds.ts';
import { goModule } from '../test-support/go-modules.ts';
import { Argo } from './test-support/argo.ts';
import { START_TIMEOUT_MS, startCluster, type EmptyCluster } from './test-support/cluster.ts';
import { timed } from './test-support/figures.ts';
import { Flux } from './test-support/flux.ts';
import { Installation, type Built } from './test-support/installation.ts';
import { kubectl } from './test-support/kubectl.ts';
import { Kubectl } from './test-support/kubectl-tool.ts';
import { NamespaceView } from './test-support/namespace.ts';

const TEST_TIMEOUT_MS = 600_000;

let cluster: EmptyCluster;
let installation: Installation;
let built: Built;
let view: NamespaceView;
beforeAll(async () => {
  cluster = await startCluster();
  const { plane, folder } = cluster;
  installation = new Installation(plane, 'complete', join(folder, 'complete'));
  view = new NamespaceView(plane.api, installation.namespace);
  await installation.makeNamespace();
  await installation.makeSecrets();
  built = await installation.overlay();
}, START_TIMEOUT_MS);
afterAll(() => cluster.stop());

const make = (object: object) => kubectl(cluster.plane, ['apply', '-f', '-'], JSON.stringify(object));

it(
  'the overlay with every component is refused where its kinds are unknown: by Flux and Argo CD as a whole',
  async () => {
    const { plane } = cluster;
    await expect(new Flux(plane.api, 'clew').apply(built)).rejects.toThrow(/no matches for kind/);
    await expect(new Argo(plane, 'clew').apply(built)).rejects.toThrow(/no matches for kind/);
    expect(await view.names('apps/v1', 'Deployment')).toEqual([]);
    await expect(new Kubectl(plane, installation).apply(built)).rejects.toThrow(/no matches for kind/);
  },
  TEST_TIMEOUT_MS,
);

it(
  'it gets ready where what its components need is there, and says so where it is not',
  async () => {
    const { plane } = cluster;
    for (const { module, folder } of DEFINITIONS) {
      await kubectl(plane, ['apply', '--server-side', '-f', join(goModule(module), folder)]);
    }
    await kubectl(plane, ['wait', '--for=condition=established', 'crd', '--all', '--timeout=2m']);
    const ready = timed(`kubectl, complete: first install, ${built.objects.length} objects`, () =>
      new Kubectl(plane, installation).apply(built),
    );
    await eventually(
      async () => {
        const events = await kubectl(plane, ['-n', installation.namespace, 'get', 'events', '-o', 'json']);
        expect(events).toContain('RuntimeClass \\"nvidia\\" not found');
      },
      { timeoutMs: 120_000 },
    );
    await make({ apiVersion: 'node.k8s.io/v1', kind: 'RuntimeClass', metadata: { name: 'nvidia' }, handler: 'nvidia' });
    const named = (name: string) => ({ apiVersion: 'v1', metadata: { name, namespace: installation.namespace } });
    await make({ ...named('clew-private-authority'), kind: 'ConfigMap', data: { 'ca.crt': 'a certificate' } });
    await make({ ...named('clew-sign-in'), kind: 'ConfigMap', data: { 'providers.json': '{}' } });
    await make({ ...named('clew-mail'), kind: 'Secret', stringData: { SMTP_URL: 'smtps://mail.example.com' } });
    await ready;
    await eventually(async () => expect(await view.unsettled()).toEqual([]));
  },
  TEST_TIMEOUT_MS,
);
