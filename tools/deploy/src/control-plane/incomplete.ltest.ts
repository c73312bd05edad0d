import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@clew/testing';
import { overlayFolder } from '../policy/rendered.ts';
import { Argo } from './test-support/argo.ts';
import { START_TIMEOUT_MS, startCluster, type EmptyCluster } from './test-support/cluster.ts';
import { timed } from './test-support/figures.ts';
import { Flux } from './test-support/flux.ts';
import { Installation } from './test-support/installation.ts';
import { kubectl } from './test-support/kubectl.ts';
import { Kubectl } from './test-support/kubectl-tool.ts';
import { NamespaceView } from './test-support/namespace.ts';
import { parseManifests } from './test-support/objects.ts';

const TEST_TIMEOUT_MS = 400_000;

let cluster: EmptyCluster;
beforeAll(async () => {
  cluster = await startCluster();
}, START_TIMEOUT_MS);
afterAll(() => cluster.stop());

describe('an installation whose Secrets come after its first apply', () => {
  it.each(['kubectl', 'Flux', 'Argo CD'] as const)(
    'with %s names each that is missing, starts nothing without it, and gets ready by itself once it is there',
    async (name) => {
      const { plane, folder } = cluster;
      const overlay = name === 'kubectl' ? 'staging' : name === 'Flux' ? 'production' : 'dev';
      const installation = new Installation(plane, overlay, join(folder, 'without-secrets', overlay));
      const tools = {
        kubectl: () => new Kubectl(plane, installation),
        Flux: () => new Flux(plane.api, 'clew'),
        'Argo CD': () => new Argo(plane, 'clew'),
      };
      const view = new NamespaceView(plane.api, installation.namespace);
      await installation.makeNamespace();
      const built = await installation.overlay();
      const ended = tools[name]()
        .apply(built)
        .then(
          () => 'well',
          (error: unknown) => error,
        );
      await eventually(async () => {
        const status = (await view.step('preflight'))?.status?.containerStatuses?.[0];
        expect(status?.lastState?.terminated?.message).toMatch(
          /\n {2}clew-auth\/AUTH_SECRET\n(?:.*\n)* {2}clew-cli\/AMQP_URL\n/,
        );
      });
      expect((await view.serving()).flatMap(({ status }) => status?.containerStatuses ?? [])).not.toContainEqual(
        expect.objectContaining({ state: { running: expect.anything() as unknown } }),
      );
      await installation.makeSecrets();
      await timed(`${name}, ${overlay}: Secrets after the first apply`, async () => expect(await ended).toBe('well'));
      await eventually(async () => expect(await view.unsettled()).toEqual([]));
    },
    TEST_TIMEOUT_MS,
  );
});

it(
  'an overlay that names no registry runs the image of nobody',
  async () => {
    const { plane } = cluster;
    const namespace = 'unedited';
    await kubectl(plane, ['create', 'namespace', namespace]);
    const text = (await kubectl(plane, ['kustomize', overlayFolder('staging')])).replaceAll('clew-staging', namespace);
    await kubectl(plane, ['apply', '-f', '-'], text);
    const steps = parseManifests(text).filter(({ kind }) => kind === 'Job');
    const view = new NamespaceView(plane.api, namespace);
    await eventually(async () => {
      const states = (await view.pods()).map(
        ({ status }) => status?.containerStatuses?.[0]?.state.waiting?.reason ?? '',
      );
      expect(states.length).toBeGreaterThan(steps.length);
      expect(states.filter((reason) => !/^(?:ErrImagePull|ContainerCreating)$/.test(reason))).toEqual([]);
      expect(states).toContain('ErrImagePull');
    });
  },
  TEST_TIMEOUT_MS,
);
