import type { Api } from './api.ts';
import { idOf, isPodReady, type KubeObject, type Pod } from './objects.ts';

const STEP = 'clew.dev/role';
const NAME = 'app.kubernetes.io/name';

type Autoscaler = KubeObject & {
  readonly spec: { readonly minReplicas: number };
  readonly status?: { readonly currentReplicas?: number };
};

/** What an installation looks like from outside. */
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

  /** The pods that serve; those of steps end. */
  async serving(): Promise<readonly Pod[]> {
    return (await this.pods()).filter(({ metadata }) => metadata.labels?.[STEP] === undefined);
  }

  /** The uids of pods that serve, by the names of what they run. */
  async uids(): Promise<Map<string, readonly string[]>> {
    const uids = new Map<string, readonly string[]>();
    for (const { metadata } of await this.serving()) {
      const name = metadata.labels?.[NAME] ?? metadata.name;
      uids.set(name, [...(uids.get(name) ?? []), metadata.uid ?? ''].sort());
    }
    return uids;
  }

  /** What is not yet as it will stay: pods that come or go, and workloads that an autoscaler has not seen. */
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

  /** What the pod of a step says of itself. */
  async step(role: string): Promise<Pod | undefined> {
    return (await this.pods()).find(({ metadata }) => metadata.labels?.[STEP] === role);
  }

  /**
   * The objects as whoever applies them may have changed them, by their ids: controllers write the status, and with it the
   * version of an object that has one.
   */
  async written(objects: readonly KubeObject[]): Promise<Map<string, unknown>> {
    return new Map((await this.existing(objects)).map((each) => [idOf(each), writtenOf(each)]));
  }

  /** Those of the objects that there are, as they are. */
  async existing(objects: readonly KubeObject[]): Promise<KubeObject[]> {
    const live = await Promise.all(objects.map((object) => this.#api.get(object)));
    return live.filter((each) => each !== undefined);
  }
}

function writtenOf({ status, metadata, ...rest }: KubeObject) {
  const { managedFields: _fields, resourceVersion, ...own } = metadata;
  return { ...rest, metadata: own, version: status === undefined ? resourceVersion : 'of its status' };
}
