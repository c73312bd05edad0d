import type { Api } from './api.ts';
import { idOf, isPodReady, type KubeObject, type Pod } from './objects.ts';

const STEP = 'clew.dev/role';
const NAME = 'app.kubernetes.io/name';

type Autoscaler = KubeObject & {
  readonly spec: { readonly minReplicas: number };
  readonly status?: { readonly currentReplicas?: number };
};

/** Namespace of an installation, seen through the API. */
export class NamespaceView {
  readonly #api: Api;
  readonly #namespace: string;

  constructor(api: Api, namespace: string) {
    this.#api = api;
    this.#namespace = namespace;
  }

  pods(): Promise<readonly Pod[]> {
    return this.#api.list<Pod>('v1', 'Pod', this.#namespace);
  }

  /** Pods that serve, without those of steps, which end. */
  async serving(): Promise<readonly Pod[]> {
    return (await this.pods()).filter(({ metadata }) => metadata.labels?.[STEP] === undefined);
  }

  /** Uids of serving pods, by the names of their workloads. */
  async uids(): Promise<Map<string, readonly string[]>> {
    const uids = new Map<string, readonly string[]>();
    for (const { metadata } of await this.serving()) {
      const name = metadata.labels?.[NAME] ?? metadata.name;
      uids.set(name, [...(uids.get(name) ?? []), metadata.uid ?? ''].sort());
    }
    return uids;
  }

  /** Objects that still change: pods that start or end, and workloads that an autoscaler has not processed yet. */
  async unsettled(): Promise<string[]> {
    const pods = (await this.serving()).filter((pod) => !isPodReady(pod));
    const scalers = await this.#api.list<Autoscaler>('autoscaling/v2', 'HorizontalPodAutoscaler', this.#namespace);
    const unseen = scalers.filter(({ spec, status }) => (status?.currentReplicas ?? 0) < spec.minReplicas);
    return [...pods, ...unseen].map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  }

  async names(apiVersion: string, kind: string): Promise<string[]> {
    const objects = await this.#api.list(apiVersion, kind, this.#namespace);
    return objects.map(({ metadata }) => metadata.name).sort();
  }

  /** Pod of a step, with its status. */
  async step(role: string): Promise<Pod | undefined> {
    return (await this.pods()).find(({ metadata }) => metadata.labels?.[STEP] === role);
  }

  /**
   * Objects by id, reduced to the parts that an apply changes: without the status and the managed fields, and without
   * the version if the object has a status, since controllers then change it.
   */
  async written(objects: readonly KubeObject[]): Promise<Map<string, unknown>> {
    return new Map((await this.existing(objects)).map((each) => [idOf(each), writtenOf(each)]));
  }

  /** Live state of those objects that exist. */
  async existing(objects: readonly KubeObject[]): Promise<KubeObject[]> {
    const live = await Promise.all(objects.map((object) => this.#api.get(object)));
    return live.filter((each) => each !== undefined);
  }
}

function writtenOf({ status, metadata, ...rest }: KubeObject) {
  const { managedFields: _fields, resourceVersion, ...own } = metadata;
  return { ...rest, metadata: own, version: status === undefined ? resourceVersion : 'of its status' };
}
