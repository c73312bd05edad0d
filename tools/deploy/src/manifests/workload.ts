import type { ServiceName } from '@clew/contracts/services';

/** How a process runs in a cluster, beside what the table of services says of it. */
export interface Workload {
  /** Names its image, too. */
  readonly name: ServiceName;
  readonly command: readonly string[];
  readonly replicas: number;
  readonly memory: { readonly request: string; readonly limit: string };
  readonly cpu: { readonly request: string; readonly limit: string };
  /** Variables that only this one has. */
  readonly environment: Readonly<Record<string, string>>;
  /** Variables whose value is a field of the pod, by its path; others may name them as `$(VARIABLE)`. */
  readonly podFields: Readonly<Record<string, string>>;
  /** Volumes that only this one mounts. */
  readonly mounts: readonly { readonly name: string; readonly mountPath: string; readonly readOnly?: boolean }[];
  /** Space for what passes through it: bodies and recordings that are too large for memory. */
  readonly scratch: string;
  /** A volume of its own, which outlives it. */
  readonly volume?: { readonly path: string; readonly size: string };
  /** Whether it needs addresses outside of the cluster: providers, the model hub, package indexes. */
  readonly reachesOut: boolean;
  /** Ports that only one other process uses, beside that of the API. */
  readonly ports: readonly { readonly first: number; readonly last: number; readonly usedBy: ServiceName }[];
}
