import { z } from 'zod';
import { parseAllDocuments } from 'yaml';

const Metadata = z.looseObject({
  name: z.string(),
  namespace: z.string().optional(),
  uid: z.string().optional(),
  resourceVersion: z.string().optional(),
  generation: z.number().optional(),
  deletionTimestamp: z.string().optional(),
  labels: z.record(z.string(), z.string()).optional(),
  annotations: z.record(z.string(), z.string()).optional(),
});

const KubeObject = z.looseObject({ apiVersion: z.string(), kind: z.string(), metadata: Metadata });

/** Any object of a cluster. */
export type KubeObject = z.infer<typeof KubeObject>;

export const parseManifests = (text: string): KubeObject[] =>
  parseAllDocuments(text).map((document) => KubeObject.parse(document.toJS()));

/** Unique identification of an object. */
export const idOf = ({ apiVersion, kind, metadata: { namespace, name } }: KubeObject) =>
  `${apiVersion} ${kind} ${namespace ?? ''}/${name}`;

export type Labels = Readonly<Record<string, string>>;

/** Whether the labels match a selector; all selectors of this product match by equality. */
export const isSelected = (labels: Labels = {}, matchLabels: Labels = {}) =>
  Object.entries(matchLabels).every(([name, value]) => labels[name] === value);

interface KeyRef {
  readonly name: string;
  readonly key: string;
  readonly optional?: boolean;
}

interface FilesRef {
  readonly name?: string;
  readonly secretName?: string;
  readonly optional?: boolean;
  readonly items?: readonly { readonly key: string; readonly path: string }[];
}

export interface VolumeSource {
  readonly secret?: FilesRef;
  readonly configMap?: FilesRef;
}

export interface PodContainer {
  readonly name: string;
  readonly image: string;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly restartPolicy?: string;
  readonly env?: readonly {
    readonly name: string;
    readonly valueFrom?: { readonly secretKeyRef?: KeyRef; readonly configMapKeyRef?: KeyRef };
  }[];
  readonly envFrom?: readonly {
    readonly secretRef?: Omit<KeyRef, 'key'>;
    readonly configMapRef?: Omit<KeyRef, 'key'>;
  }[];
}

export interface ContainerStatus {
  readonly name: string;
  readonly ready: boolean;
  readonly restartCount: number;
  readonly state: {
    readonly waiting?: { readonly reason: string; readonly message?: string };
    readonly terminated?: { readonly exitCode: number };
  };
  readonly lastState?: { readonly terminated?: { readonly exitCode: number; readonly message?: string } };
}

export type Pod = KubeObject & {
  readonly spec: {
    readonly nodeName?: string;
    readonly serviceAccountName?: string;
    readonly containers: readonly PodContainer[];
    readonly initContainers?: readonly PodContainer[];
    readonly volumes?: readonly (VolumeSource & {
      readonly name: string;
      readonly projected?: { readonly sources: readonly VolumeSource[] };
      readonly persistentVolumeClaim?: { readonly claimName: string };
    })[];
  };
  readonly status?: {
    readonly phase: string;
    readonly podIP?: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
    readonly containerStatuses?: readonly ContainerStatus[];
  };
};

export const isPodReady = ({ status, metadata }: Pod) =>
  metadata.deletionTimestamp === undefined &&
  (status?.conditions ?? []).some((condition) => condition.type === 'Ready' && condition.status === 'True');

/** Secret or ConfigMap. */
export type Values = KubeObject & { readonly data?: Readonly<Record<string, string>> };
