import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@clew/testing';
import type { Overlay } from '../../policy/rendered.ts';
import type { EmptyCluster } from './cluster.ts';
import { timed } from './figures.ts';
import { Installation, type Built } from './installation.ts';
import { NamespaceView } from './namespace.ts';
import type { KubeObject } from './objects.ts';
import type { Tool } from './tool.ts';

const TEST_TIMEOUT_MS = 400_000;
const SETTLE_TIMEOUT_MS = 60_000;
const SERVERS = ['mongodb', 'rabbitmq'];

const named = (objects: readonly KubeObject[], kind: string) =>
  objects.filter((object) => object.kind === kind).map(({ metadata }) => metadata.name);

export interface Rollout {
  readonly cluster: () => EmptyCluster;
  readonly overlay: Overlay;
  readonly toolOf: (cluster: EmptyCluster, installation: Installation) => Tool;
}

/** The life of an installation with one tool, each test on what the one before has left. */
export function describeRollout(title: string, { cluster, overlay, toolOf }: Rollout): void {
  describe(title, () => {
    const digest = randomBytes(32).toString('hex');
    let installation: Installation;
    let tool: Tool;
    let view: NamespaceView;
    let built: Built;

    beforeAll(async () => {
      const { plane, folder } = cluster();
      installation = new Installation(plane, overlay, join(folder, `${overlay}-${title.replace(/\W+/g, '-')}`));
      tool = toolOf(cluster(), installation);
      view = new NamespaceView(plane.api, installation.namespace);
      await installation.makeNamespace();
      await installation.makeSecrets();
    }, TEST_TIMEOUT_MS);

    async function applied(what: string, changes: Parameters<Installation['overlay']>[0]): Promise<void> {
      built = await installation.overlay(changes);
      await timed(`${tool.name}, ${overlay}: ${what}, ${built.objects.length} objects`, () => tool.apply(built));
      // Autoscalers and the ends of former pods come after what tools wait for.
      await eventually(async () => expect(await view.unsettled()).toEqual([]), { timeoutMs: SETTLE_TIMEOUT_MS });
    }

    const migrationsOf = (app: string) => cluster().node.processes.imagesOf(installation.namespace, app);

    it(
      'is there and ready after the first apply',
      async () => {
        await applied('first install', {});
        const lasting = [...named(built.objects, 'Deployment'), ...named(built.objects, 'StatefulSet')];
        expect([...(await view.uids()).keys()].sort()).toEqual(lasting.sort());
        expect(await view.names('batch/v1', 'Job')).toEqual(named(built.objects, 'Job').sort());
        expect(migrationsOf('gateway')).toEqual(['registry.example.com/clew/gateway:0.1.0']);
      },
      TEST_TIMEOUT_MS,
    );

    it(
      'is as it was after the same is applied again',
      async () => {
        const [before, pods] = [await view.written(built.objects), await view.uids()];
        await applied('the same again', {});
        expect(await view.written(built.objects)).toEqual(before);
        expect(await view.uids()).toEqual(pods);
      },
      TEST_TIMEOUT_MS,
    );

    it(
      'runs the migrations of other images of the same version, and then their processes',
      async () => {
        const [jobs, pods] = [named(built.objects, 'Job'), await view.uids()];
        await applied('digests in place of tags', { digest });
        expect(migrationsOf('gateway')).toContain(`registry.example.com/clew/gateway@sha256:${digest}`);
        for (const [name, uids] of await view.uids()) {
          const kept = uids.filter((uid) => pods.get(name)?.includes(uid));
          expect([name, kept]).toEqual([name, SERVERS.includes(name) ? pods.get(name) : []]);
        }
        const own = named(built.objects, 'Job');
        expect(own.filter((name) => jobs.includes(name))).toEqual([]);
        expect(await view.names('batch/v1', 'Job')).toEqual((tool.prunes ? own : [...own, ...jobs]).sort());
      },
      TEST_TIMEOUT_MS,
    );

    it(
      'replaces the pods that read a setting which has changed, and runs no migration for it',
      async () => {
        const [jobs, pods] = [await view.names('batch/v1', 'Job'), await view.uids()];
        await applied('another setting', { digest, settings: ['LOG_LEVEL=trace'] });
        for (const [name, uids] of await view.uids()) {
          const isKept = uids.some((uid) => pods.get(name)?.includes(uid));
          expect([name, isKept]).toEqual([name, SERVERS.includes(name)]);
        }
        expect(await view.names('batch/v1', 'Job')).toEqual(jobs);
      },
      TEST_TIMEOUT_MS,
    );

    it(
      'leaves the Namespace, Secrets and volumes when it is taken away, and can come back',
      async () => {
        const kept = async () => ({
          secrets: await view.names('v1', 'Secret'),
          claims: await view.names('v1', 'PersistentVolumeClaim'),
        });
        const before = await kept();
        await tool.remove(built);
        await eventually(async () => {
          const left = await view.written(built.objects);
          expect([...left].filter(([id, object]) => object !== undefined && !id.includes('clew-settings-'))).toEqual(
            [],
          );
          expect(await view.serving()).toEqual([]);
        });
        expect(await kept()).toEqual(before);
        expect(before.claims).not.toEqual([]);
        await applied('back again', { digest });
        expect(await kept()).toEqual(before);
      },
      TEST_TIMEOUT_MS,
    );
  });
}
