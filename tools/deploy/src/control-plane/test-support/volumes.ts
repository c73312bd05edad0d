import { ApiError, type Api } from './api.ts';
import type { KubeObject } from './objects.ts';

const CLASS = 'standard';
const PROVISIONER = 'volumes.clew.dev';

type Claim = KubeObject & {
  readonly spec: {
    readonly accessModes: readonly string[];
    readonly resources: { readonly requests: object };
    readonly volumeName?: string;
  };
  readonly status?: { readonly phase?: string };
};

/** Creates a volume for each claim of the default class, as the provisioner of a cluster does. */
export class ProvidedVolumes {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  async prepare(): Promise<void> {
    const annotations = { 'storageclass.kubernetes.io/is-default-class': 'true' };
    const metadata = { name: CLASS, annotations };
    const object = { apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata, provisioner: PROVISIONER };
    await this.#create(object);
  }

  /** Creates missing volumes; resolves with the names of the bound claims, by namespace. */
  async provide(): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
    const bound = new Map<string, Set<string>>();
    for (const claim of await this.#api.list<Claim>('v1', 'PersistentVolumeClaim')) {
      const { name, namespace = '' } = claim.metadata;
      if (claim.status?.phase === 'Bound') bound.set(namespace, (bound.get(namespace) ?? new Set()).add(name));
      else await this.#create(volumeOf(claim));
    }
    return bound;
  }

  async #create(object: KubeObject): Promise<void> {
    await this.#api.create(object).catch((error: unknown) => {
      if (!(error instanceof ApiError) || error.status !== 409) throw error;
    });
  }
}

function volumeOf({ metadata: { name, namespace, uid }, spec }: Claim): KubeObject {
  return {
    ...{ apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name: `pvc-${uid}` } },
    spec: {
      ...{ capacity: spec.resources.requests, accessModes: spec.accessModes, storageClassName: CLASS },
      csi: { driver: PROVISIONER, volumeHandle: `pvc-${uid}` },
      claimRef: { apiVersion: 'v1', kind: 'PersistentVolumeClaim', name, namespace, uid },
    },
  };
}
