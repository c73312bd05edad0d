import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { eventually } from '@clew/testing';
import type { Overlay } from '../../policy/rendered.ts';
import type { EmptyCluster } from './cluster.ts';
import { timed } from './figures.ts';
import { Installation, type Built, type Changes } from './installation.ts';
import { NamespaceView } from './namespace.ts';
import { idOf, type KubeObject } from './objects.ts';
import type { Tool } from './tool.ts';

const SETTLE_TIMEOUT_MS = 60_000;
/** Servers in the cluster; they have their own images, which an upgrade of the product does not change. */
const SERVERS = ['mongodb', 'rabbitmq'];
const GATEWAY_IMAGE = 'registry.example.com/clew/gateway';

const named = (objects: readonly KubeObject[], kind: string) =>
  objects.filter((object) => object.kind === kind).map(({ metadata }) => metadata.name);

/** Overlay, the target cluster, and the tool that applies it. */
export interface Rollout {
  readonly cluster: () => EmptyCluster;
  readonly overlay: Overlay;
  readonly toolOf: (cluster: EmptyCluster, installation: Installation) => Tool;
}

/** Life of one installation with one tool; each step continues from the state that the previous one left. */
export class Life {
  readonly #cluster: EmptyCluster;
  readonly #overlay: Overlay;
  readonly #installation: Installation;
  readonly #tool: Tool;
  readonly #view: NamespaceView;
  readonly #digest = randomBytes(32).toString('hex');
  #objects: readonly KubeObject[] = [];

  private constructor(cluster: EmptyCluster, { overlay, toolOf }: Rollout) {
    const { plane, folder } = cluster;
    this.#cluster = cluster;
    this.#overlay = overlay;
    this.#installation = new Installation(plane, overlay, join(folder, overlay));
    this.#tool = toolOf(cluster, this.#installation);
    this.#view = new NamespaceView(plane.api, this.#installation.namespace);
  }

  /** Performs the steps of the guide that precede the first apply. */
  static async begin(rollout: Rollout): Promise<Life> {
    const life = new Life(rollout.cluster(), rollout);
    await life.#installation.makeNamespace();
    await life.#installation.makeSecrets();
    return life;
  }

  async firstInstall(): Promise<void> {
    await this.#apply('first install', {});
    const lasting = [...named(this.#objects, 'Deployment'), ...named(this.#objects, 'StatefulSet')];
    expect([...(await this.#view.uids()).keys()].sort()).toEqual(lasting.sort());
    expect(await this.#jobs()).toEqual(named(this.#objects, 'Job').sort());
    expect(this.#migrations()).toEqual([`${GATEWAY_IMAGE}:0.1.0`]);
  }

  async sameAgain(): Promise<void> {
    const [objects, pods] = [await this.#view.written(this.#objects), await this.#view.uids()];
    await this.#apply('the same again', {});
    expect(await this.#view.written(this.#objects)).toEqual(objects);
    expect(await this.#view.uids()).toEqual(pods);
  }

  async otherImages(): Promise<void> {
    const [jobs, pods] = [named(this.#objects, 'Job'), await this.#view.uids()];
    await this.#apply('digests in place of tags', { digest: this.#digest });
    expect(this.#migrations()).toContain(`${GATEWAY_IMAGE}@sha256:${this.#digest}`);
    expect(await this.#kept(pods)).toEqual(await this.#serversOf(pods));
    const own = named(this.#objects, 'Job');
    expect(own.filter((name) => jobs.includes(name))).toEqual([]);
    expect(await this.#jobs()).toEqual((this.#tool.prunes ? own : [...own, ...jobs]).sort());
  }

  async otherSettings(): Promise<void> {
    const [jobs, pods] = [await this.#jobs(), await this.#view.uids()];
    await this.#apply('another setting', { digest: this.#digest, settings: ['LOG_LEVEL=trace'] });
    expect(await this.#kept(pods)).toEqual(await this.#serversOf(pods));
    expect(await this.#jobs()).toEqual(jobs);
  }

  async goneAndBack(): Promise<void> {
    const before = await this.#lasting();
    expect(before.claims).not.toEqual([]);
    await this.#tool.remove(this.#objects);
    await eventually(
      async () => {
        const left = await this.#view.existing(this.#objects);
        // Flux keeps the settings, which earlier pods may still use.
        expect(left.map(idOf).filter((id) => !id.includes('clew-settings-'))).toEqual([]);
        expect(await this.#view.serving()).toEqual([]);
      },
      { timeoutMs: SETTLE_TIMEOUT_MS },
    );
    expect(await this.#lasting()).toEqual(before);
    await this.#apply('taken away, and back again', { digest: this.#digest });
    expect(await this.#lasting()).toEqual(before);
  }

  async #apply(what: string, changes: Changes): Promise<void> {
    const built: Built = await this.#installation.overlay(changes);
    this.#objects = built.objects;
    const title = `${this.#tool.name}, ${this.#overlay}: ${what}, ${built.objects.length} objects`;
    await timed(title, () => this.#tool.apply(built));
    // Autoscalers act and earlier pods end after the tool has reported success.
    await eventually(async () => expect(await this.#view.unsettled()).toEqual([]), { timeoutMs: SETTLE_TIMEOUT_MS });
  }

  readonly #jobs = () => this.#view.names('batch/v1', 'Job');

  #migrations(): string[] {
    return this.#cluster.node.processes.imagesOf(this.#installation.namespace, 'gateway');
  }

  /** Earlier pods that still exist. */
  async #kept(before: ReadonlyMap<string, readonly string[]>): Promise<string[]> {
    const now = [...(await this.#view.uids()).values()].flat();
    return [...before.values()].flat().filter((uid) => now.includes(uid));
  }

  readonly #serversOf = (pods: ReadonlyMap<string, readonly string[]>) =>
    SERVERS.flatMap((name) => pods.get(name) ?? []);

  /** Objects that are deleted only together with the Namespace. */
  async #lasting() {
    const [secrets, claims] = [
      await this.#view.names('v1', 'Secret'),
      await this.#view.names('v1', 'PersistentVolumeClaim'),
    ];
    return { secrets, claims };
  }
}
