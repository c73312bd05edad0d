import type { KubeObject } from './objects.ts';

/** Health of an object; some kinds have none. */
export type Health = 'Healthy' | 'Progressing' | 'Degraded' | 'Suspended' | 'none';

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
}

type Assessed = KubeObject & {
  readonly spec: {
    readonly replicas?: number;
    readonly suspend?: boolean;
    readonly type?: string;
  };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly conditions?: readonly Condition[];
    readonly replicas?: number;
    readonly updatedReplicas?: number;
    readonly readyReplicas?: number;
    readonly availableReplicas?: number;
    readonly phase?: string;
    readonly loadBalancer?: { readonly ingress?: readonly unknown[] };
  };
};

const ASSESSORS: Readonly<Record<string, (object: Assessed) => Health>> = {
  Job: ofJob,
  CronJob: ({ spec }) => (spec.suspend === true ? 'Suspended' : 'Healthy'),
  Deployment: ofDeployment,
  StatefulSet: ofStatefulSet,
  HorizontalPodAutoscaler: ofAutoscaler,
  PersistentVolumeClaim: ({ status }) => (status?.phase === 'Bound' ? 'Healthy' : 'Progressing'),
  Ingress: hasAddress,
  Service: (object) => (object.spec.type === 'LoadBalancer' ? hasAddress(object) : 'Healthy'),
};

/** Health of a live object as Argo CD assesses it. */
export const argoHealthOf = (object: KubeObject): Health => ASSESSORS[object.kind]?.(object as Assessed) ?? 'none';

function ofJob({ status }: Assessed): Health {
  const types = (status?.conditions ?? []).filter((each) => each.status === 'True').map(({ type }) => type);
  if (types.includes('Failed')) return 'Degraded';
  return types.includes('Complete') ? 'Healthy' : 'Progressing';
}

function ofDeployment({ metadata, spec, status = {} }: Assessed): Health {
  const { observedGeneration = 0, conditions = [], replicas = 0, updatedReplicas = 0, availableReplicas = 0 } = status;
  if ((metadata.generation ?? 0) > observedGeneration) return 'Progressing';
  if (conditions.some(({ reason }) => reason === 'ProgressDeadlineExceeded')) return 'Degraded';
  const isOut = updatedReplicas >= (spec.replicas ?? 1) && replicas <= updatedReplicas;
  return isOut && availableReplicas >= updatedReplicas ? 'Healthy' : 'Progressing';
}

function ofStatefulSet({ metadata, spec, status = {} }: Assessed): Health {
  const { observedGeneration = 0, readyReplicas = 0, updatedReplicas = 0 } = status;
  const wanted = spec.replicas ?? 1;
  const isSeen = observedGeneration > 0 && (metadata.generation ?? 0) <= observedGeneration;
  return isSeen && readyReplicas >= wanted && updatedReplicas >= wanted ? 'Healthy' : 'Progressing';
}

const BAD_REASONS = ['FailedGetScale', 'FailedUpdateScale', 'FailedGetResourceMetric', 'InvalidSelector'];

function ofAutoscaler({ status }: Assessed): Health {
  for (const { type, status: value, reason = '' } of status?.conditions ?? []) {
    if (BAD_REASONS.includes(reason)) return 'Degraded';
    if (['AbleToScale', 'ScalingLimited'].includes(type) && value === 'True') return 'Healthy';
  }
  return 'Progressing';
}

function hasAddress({ status }: Assessed): Health {
  return (status?.loadBalancer?.ingress ?? []).length > 0 ? 'Healthy' : 'Progressing';
}
