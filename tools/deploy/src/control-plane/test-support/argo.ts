import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '@clew/testing';
import { argoHealthOf } from './argo-health.ts';
import { hasOption, tasksOf, type Task } from './argo-order.ts';
import type { ControlPlane } from './control-plane.ts';
import type { Built } from './installation.ts';
import { kubectl } from './kubectl.ts';
import { idOf, type KubeObject } from './objects.ts';
import type { Tool } from './tool.ts';

const TRACKING = 'argocd.argoproj.io/tracking-id';
const INSTANCE = 'app.kubernetes.io/instance';
const IGNORE_HEALTH = 'argocd.argoproj.io/ignore-healthcheck';
const TIMEOUT_MS = 180_000;
const POLL_MS = 250;

/**
 * Simulates a sync of Argo CD with pruning. It begins with a client-side dry run of all objects. Then each wave prunes
 * and applies its objects, and waits until they are healthy, except for the last wave. A degraded object ends the sync.
 * The application is healthy when all of its objects that have a health are healthy.
 */
export class Argo implements Tool {
  readonly name = 'Argo CD';
  readonly prunes = true;
  readonly #plane: ControlPlane;
  readonly #application: string;
  #applied: readonly KubeObject[] = [];

  constructor(plane: ControlPlane, application: string) {
    this.#plane = plane;
    this.#application = application;
  }

  async apply({ objects }: Built): Promise<void> {
    const tracked = objects.map((object) => this.#tracked(object));
    await this.#kubectlApply(tracked, ['--dry-run=client']);
    const ids = new Set(tracked.map(idOf));
    const pruned = this.#applied.filter((object) => !ids.has(idOf(object)) && !hasOption(object, 'Prune=false'));
    await this.#sync(tasksOf(tracked, pruned));
    this.#applied = tracked;
    await eventually(() => this.#assertWell(), { timeoutMs: TIMEOUT_MS, intervalMs: POLL_MS });
  }

  async remove(): Promise<void> {
    for (const object of this.#applied) {
      if (!hasOption(object, 'Delete=false')) await this.#delete(object);
    }
    this.#applied = [];
  }

  /**
   * Marks an object with an annotation, and with the label that Argo CD before version 3 used, overwriting its value.
   */
  #tracked(object: KubeObject): KubeObject {
    const { kind, apiVersion, metadata } = object;
    const group = apiVersion.includes('/') ? apiVersion.split('/')[0] : '';
    const id = `${this.#application}:${group}/${kind}:${metadata.namespace}/${metadata.name}`;
    const annotations = { ...metadata.annotations, [TRACKING]: id };
    return {
      ...object,
      metadata: { ...metadata, annotations, labels: { ...metadata.labels, [INSTANCE]: this.#application } },
    };
  }

  async #sync(tasks: readonly Task[]): Promise<void> {
    const deadlineMs = Date.now() + TIMEOUT_MS;
    const waves = [...new Set(tasks.map(({ wave }) => wave))];
    for (const wave of waves) {
      const own = tasks.filter((task) => task.wave === wave);
      for (const { object } of own.filter(({ isPrune }) => isPrune)) await this.#delete(object);
      const applied = own.filter(({ isPrune }) => !isPrune);
      if (applied.length > 0) await this.#kubectlApply(applied.map(({ object }) => object));
      for (const task of own) task.state = task.isPrune ? 'succeeded' : 'running';
      if (wave !== waves.at(-1)) await this.#waitFor(applied, deadlineMs);
    }
  }

  async #waitFor(tasks: readonly Task[], deadlineMs: number): Promise<void> {
    for (;;) {
      for (const task of tasks) await this.#assess(task);
      const failed = tasks.filter(({ state }) => state === 'failed');
      if (failed.length > 0) throw new Error(`Degraded: ${failed.map(({ object }) => idOf(object)).join(', ')}`);
      const running = tasks.filter(({ state }) => state === 'running');
      if (running.length === 0) return;
      if (Date.now() > deadlineMs)
        throw new Error(`Not healthy: ${running.map(({ object }) => idOf(object)).join(', ')}`);
      await delay(POLL_MS);
    }
  }

  async #assess(task: Task): Promise<void> {
    if (task.state !== 'running') return;
    const live = await this.#plane.api.get(task.object);
    if (live === undefined) return;
    const health = argoHealthOf(live);
    if (health === 'Healthy' || health === 'none') task.state = 'succeeded';
    if (health === 'Degraded') task.state = 'failed';
  }

  async #assertWell(): Promise<void> {
    const counted = this.#applied.filter(({ metadata }) => metadata.annotations?.[IGNORE_HEALTH] !== 'true');
    const states = await Promise.all(
      counted.map(async (object) => {
        const live = await this.#plane.api.get(object);
        return `${idOf(object)}: ${live === undefined ? 'Missing' : argoHealthOf(live)}`;
      }),
    );
    const others = states.filter((state) => !/: (?:Healthy|none)$/.test(state));
    if (others.length > 0) throw new Error(others.join('\n'));
  }

  async #kubectlApply(objects: readonly KubeObject[], options: readonly string[] = []): Promise<void> {
    const list = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects });
    await kubectl(this.#plane, ['apply', '-f', '-', ...options], list);
  }

  async #delete(object: KubeObject): Promise<void> {
    await this.#plane.api.delete(object, { propagationPolicy: 'Foreground' });
    const gone = async () => {
      if ((await this.#plane.api.get(object)) !== undefined) throw new Error(`${idOf(object)} is still there`);
    };
    await eventually(gone, { timeoutMs: TIMEOUT_MS, intervalMs: POLL_MS });
  }
}
