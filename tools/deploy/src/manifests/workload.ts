import type { ServiceName } from '@clew/contracts/services';

/** Deployment of a process in a cluster, in addition to its entry in the table of services. */
export interface Workload {
  /** Name of the process and of its image. */
  readonly name: ServiceName;
  readonly command: readonly string[];
  readonly replicas: number;
  readonly memory: { readonly request: string; readonly limit: string };
  readonly cpu: { readonly request: string; readonly limit: string };
  /** Variables that only this process has. */
  readonly environment: Readonly<Record<string, string>>;
  /** Variables whose value is a field of the pod, by its path; others may refer to them as `$(VARIABLE)`. */
  readonly podFields: Readonly<Record<string, string>>;
  /** Volumes that only this process mounts. */
  readonly mounts: readonly { readonly name: string; readonly mountPath: string; readonly readOnly?: boolean }[];
  /** Size of the temporary storage for bodies and recordings that are too large for memory. */
  readonly scratch: string;
  /** Own volume, which outlives the process. */
  readonly volume?: { readonly path: string; readonly size: string };
  /** Whether it needs addresses outside the cluster: providers, issue trackers, the model hub, package indexes. */
  readonly reachesOut: boolean;
  /** Ports that only one other process uses, in addition to that of the API. */
  readonly ports: readonly { readonly first: number; readonly last: number; readonly usedBy: ServiceName }[];
}
