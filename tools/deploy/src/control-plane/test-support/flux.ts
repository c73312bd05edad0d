import { isDeepStrictEqual } from 'node:util';
import { eventually } from '@clew/testing';
import type { Api } from './api.ts';
import type { Built } from './installation.ts';
import { kstatusOf } from './kstatus.ts';
import { idOf, type KubeObject } from './objects.ts';
import type { Tool } from './tool.ts';

const MANAGER = 'kustomize-controller';
const PRUNE = 'kustomize.toolkit.fluxcd.io/prune';
const TIMEOUT_MS = 180_000;
const POLL_MS = 250;

/**
 * Simulates Flux's kustomize-controller with `prune: true` and `wait: true`. It applies definitions first, then all
 * other objects at once; an object is applied only if a dry run shows a difference, and none if any dry run fails. Then
 * it prunes objects that left the inventory, and waits for all others.
 */
export class Flux implements Tool {
  readonly name = 'Flux';
  readonly prunes = true;
  readonly #api: Api;
  readonly #labels: Readonly<Record<string, string>>;
  #inventory: readonly KubeObject[] = [];

  constructor(api: Api, name: string) {
    this.#api = api;
    this.#labels = { 'kustomize.toolkit.fluxcd.io/name': name, 'kustomize.toolkit.fluxcd.io/namespace': 'flux-system' };
  }

  async apply({ objects }: Built): Promise<void> {
    const owned = objects.map((object) => this.#owned(object));
    for (const stage of [isDefinition, isClass, isOther]) {
      const members = owned.filter(stage);
      await this.#applyStage(members);
      if (stage !== isOther) await this.#wait(members);
    }
    const ids = new Set(owned.map(idOf));
    await this.#prune(this.#inventory.filter((object) => !ids.has(idOf(object))));
    this.#inventory = owned;
    await this.#wait(owned);
  }

  async remove(): Promise<void> {
    await this.#prune(this.#inventory);
    this.#inventory = [];
  }

  #owned(object: KubeObject): KubeObject {
    const labels = { ...object.metadata.labels, ...this.#labels };
    return { ...object, metadata: { ...object.metadata, labels } };
  }

  async #applyStage(objects: readonly KubeObject[]): Promise<void> {
    const drifted = await Promise.all(objects.map((object) => this.#hasDrifted(object)));
    for (const [index, object] of objects.entries()) {
      if (drifted[index] === true) await this.#send(object, '');
    }
  }

  async #hasDrifted(object: KubeObject): Promise<boolean> {
    const existing = await this.#api.get(object);
    const wanted = await this.#send(object, '&dryRun=All');
    if (existing === undefined) return true;
    return !isDeepStrictEqual(compared(existing), compared(wanted));
  }

  async #send(object: KubeObject, options: string): Promise<KubeObject> {
    const path = `${await this.#api.pathOf(object)}?fieldManager=${MANAGER}&force=true${options}`;
    const type = 'application/apply-patch+yaml';
    try {
      return (await this.#api.send('PATCH', path, { type, body: object })) as KubeObject;
    } catch (error) {
      throw new Error(`${idOf(object)}: ${String(error)}`, { cause: error });
    }
  }

  async #prune(objects: readonly KubeObject[]): Promise<void> {
    for (const object of objects) {
      const existing = await this.#api.get(object);
      if (existing?.metadata.annotations?.[PRUNE] === 'disabled') continue;
      await this.#api.delete(object, { propagationPolicy: 'Background' });
    }
  }

  async #wait(objects: readonly KubeObject[]): Promise<void> {
    await eventually(
      async () => {
        const states = await Promise.all(
          objects.map(async (object) => `${idOf(object)}: ${kstatusOf(await this.#api.get(object))}`),
        );
        const others = states.filter((state) => !state.endsWith(': Current'));
        if (others.length > 0) throw new Error(others.join('\n'));
      },
      { timeoutMs: TIMEOUT_MS, intervalMs: POLL_MS },
    );
  }
}

const isDefinition = ({ kind }: KubeObject) => ['CustomResourceDefinition', 'Namespace', 'ClusterRole'].includes(kind);
const isClass = ({ kind }: KubeObject) => kind.endsWith('Class');
const isOther = (object: KubeObject) => !isDefinition(object) && !isClass(object);

/** Parts of an object that are compared to detect drift. */
function compared({ metadata: { labels, annotations }, status: _status, ...rest }: KubeObject) {
  return { ...rest, metadata: { labels, annotations } };
}
