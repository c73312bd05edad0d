import type { KubeObject } from './objects.ts';

const WAVE = 'argocd.argoproj.io/sync-wave';
const OPTIONS = 'argocd.argoproj.io/sync-options';

/** Kinds within a wave, in the order of their application; all other kinds follow. */
const KINDS = [
  ...['Namespace', 'NetworkPolicy', 'ResourceQuota', 'LimitRange', 'PodSecurityPolicy', 'PodDisruptionBudget'],
  ...['ServiceAccount', 'Secret', 'SecretList', 'ConfigMap', 'StorageClass', 'PersistentVolume'],
  ...['PersistentVolumeClaim', 'CustomResourceDefinition', 'ClusterRole', 'ClusterRoleList', 'ClusterRoleBinding'],
  ...['ClusterRoleBindingList', 'Role', 'RoleList', 'RoleBinding', 'RoleBindingList', 'Service', 'DaemonSet', 'Pod'],
  ...['ReplicationController', 'ReplicaSet', 'Deployment', 'HorizontalPodAutoscaler', 'StatefulSet', 'Job', 'CronJob'],
  ...['IngressClass', 'Ingress', 'APIService'],
];

export interface Task {
  readonly object: KubeObject;
  readonly isPrune: boolean;
  readonly wave: number;
  state: 'pending' | 'running' | 'succeeded' | 'failed';
}

export const hasOption = ({ metadata: { annotations = {} } }: KubeObject, option: string) =>
  (annotations[OPTIONS] ?? '').split(',').includes(option);

const waveOf = ({ metadata: { annotations = {} } }: KubeObject) => Number(annotations[WAVE] ?? '0');

/** Tasks of a sync without hooks, ordered by wave, then by kind and name; pruning goes in reverse order of waves. */
export function tasksOf(wanted: readonly KubeObject[], pruned: readonly KubeObject[]): Task[] {
  const pruneWaves = [...new Set(pruned.map(waveOf))].sort((one, other) => one - other);
  const reversed = (wave: number) => pruneWaves[pruneWaves.length - 1 - pruneWaves.indexOf(wave)] ?? wave;
  const last = Math.max(0, ...wanted.map(waveOf), ...pruneWaves) + 1;
  const pruneWaveOf = (object: KubeObject) => (hasOption(object, 'PruneLast=true') ? last : reversed(waveOf(object)));
  const tasks: Task[] = [
    ...wanted.map((object) => ({ object, isPrune: false, wave: waveOf(object), state: 'pending' as const })),
    ...pruned.map((object) => ({ object, isPrune: true, wave: pruneWaveOf(object), state: 'pending' as const })),
  ];
  const kindOf = ({ object: { kind } }: Task) => (KINDS.includes(kind) ? KINDS.indexOf(kind) : KINDS.length);
  const nameOf = ({ object }: Task) => object.metadata.name;
  return tasks.sort(
    (one, other) => one.wave - other.wave || kindOf(one) - kindOf(other) || (nameOf(one) < nameOf(other) ? -1 : 1),
  );
}
