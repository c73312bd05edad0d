import type { KubeObject } from './objects.ts';

export type Kstatus = 'Current' | 'InProgress' | 'Failed' | 'NotFound';

interface Counted {
  readonly replicas?: number;
  readonly updatedReplicas?: number;
  readonly readyReplicas?: number;
  readonly availableReplicas?: number;
  readonly currentReplicas?: number;
  readonly currentRevision?: string;
  readonly updateRevision?: string;
  readonly conditions?: readonly { readonly type: string; readonly status: string; readonly reason?: string }[];
}

/**
 * Status of an object as Flux computes it: by kstatus, and for Jobs by a reader of its own that waits for their end.
 */
export function kstatusOf(object: KubeObject | undefined): Kstatus {
  if (object === undefined) return 'NotFound';
  const { kind, metadata, spec = {} } = object as KubeObject & { spec?: { replicas?: number } };
  const status = (object['status'] ?? {}) as Counted & { observedGeneration?: number; phase?: string };
  if (metadata.deletionTimestamp !== undefined) return 'InProgress';
  const { observedGeneration = metadata.generation, conditions = [] } = status;
  if (observedGeneration !== metadata.generation) return 'InProgress';
  const is = (type: string, value = 'True') =>
    conditions.some((condition) => condition.type === type && condition.status === value);
  if (is('Stalled')) return 'Failed';
  if (is('Reconciling')) return 'InProgress';
  switch (kind) {
    case 'Job':
      if (is('Failed')) return 'Failed';
      return is('Complete') ? 'Current' : 'InProgress';
    case 'Deployment':
      if (conditions.some(({ reason }) => reason === 'ProgressDeadlineExceeded')) return 'Failed';
      return isRolledOut(status, spec.replicas ?? 1) && is('Available') ? 'Current' : 'InProgress';
    case 'StatefulSet':
      return isSetRolledOut(status, spec.replicas ?? 1) ? 'Current' : 'InProgress';
    case 'PersistentVolumeClaim':
      return status.phase === 'Bound' ? 'Current' : 'InProgress';
    case 'CustomResourceDefinition':
      return is('Established') ? 'Current' : 'InProgress';
    default:
      return is('Ready', 'False') ? 'InProgress' : 'Current';
  }
}

function isRolledOut(status: Counted, wanted: number): boolean {
  const { replicas = 0, updatedReplicas = 0, availableReplicas = 0, readyReplicas = 0 } = status;
  return (
    updatedReplicas >= wanted && replicas <= wanted && availableReplicas >= updatedReplicas && readyReplicas >= wanted
  );
}

function isSetRolledOut(status: Counted, wanted: number): boolean {
  const { replicas = 0, readyReplicas = 0, currentReplicas = 0, currentRevision, updateRevision } = status;
  return (
    replicas === wanted && readyReplicas >= wanted && currentReplicas >= wanted && currentRevision === updateRevision
  );
}
