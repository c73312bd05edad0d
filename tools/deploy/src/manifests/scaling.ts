import { serviceDefinition } from '@clew/contracts/services';
import { QUEUES, type QueueSpec } from '@clew/messaging';
import type { KubernetesObject } from './base.ts';
import { labelsOf } from './pod.ts';
import { WORKLOADS } from './workloads.ts';

const MAX_REPLICAS = 10;
const BUSY_PERCENT = 70;

/** Messages of a queue that one worker is to have before it: what it works through in some seconds. */
const MESSAGES_PER_WORKER = 20;
/** A message that has waited for so long wants one more worker. */
const OLDEST_SECONDS = 30;

/** Rows that their owners hand out only as workers have room for them (ADR 35): in the queues they do not show. */
const WAITING_ROWS = [
  { service: 'knowledge-svc', part: 'readings' },
  { service: 'diagnostics-svc', part: 'adjudication' },
] as const;

/** By processor time, for what is called; what takes from queues scales by them. */
export function horizontalAutoscalers(): KubernetesObject[] {
  return WORKLOADS.filter(({ name, volume }) => volume === undefined && !serviceDefinition(name).isScalable).map(
    ({ name, replicas }) => ({
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name, labels: labelsOf(name) },
      spec: {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name },
        ...{ minReplicas: replicas, maxReplicas: MAX_REPLICAS },
        metrics: [
          {
            type: 'Resource',
            resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: BUSY_PERCENT } },
          },
        ],
        // What has just been started is not ended at once: starting costs more than waiting.
        behavior: { scaleDown: { stabilizationWindowSeconds: 300 } },
      },
    }),
  );
}

/** By what waits in the queues that a process takes from and with their owners, and by how long the first has waited. */
export function queueScalers(prometheus: string): KubernetesObject[] {
  const workers = WORKLOADS.filter(({ name }) => serviceDefinition(name).isScalable);
  return workers.flatMap(({ name, replicas }) => [
    {
      apiVersion: 'keda.sh/v1alpha1',
      kind: 'TriggerAuthentication',
      metadata: { name, labels: labelsOf(name) },
      spec: { secretTargetRef: [{ parameter: 'host', name: `clew-${name}`, key: 'AMQP_URL' }] },
    },
    {
      apiVersion: 'keda.sh/v1alpha1',
      kind: 'ScaledObject',
      metadata: { name, labels: labelsOf(name) },
      spec: {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name },
        ...{ minReplicaCount: replicas, maxReplicaCount: MAX_REPLICAS, pollingInterval: 10, cooldownPeriod: 300 },
        // While nobody can tell what waits, there are as many as now and then are needed.
        fallback: { failureThreshold: 3, replicas: replicas + 1 },
        triggers: [
          ...queuesOf(name).map((queueName) => ({
            type: 'rabbitmq',
            metadata: { protocol: 'amqp', queueName, mode: 'QueueLength', value: String(MESSAGES_PER_WORKER) },
            authenticationRef: { name },
          })),
          ...WAITING_ROWS.map(({ service, part }) =>
            figure(prometheus, `max(clew_part_waiting{service="${service}",part="${part}"})`, MESSAGES_PER_WORKER),
          ),
          figure(prometheus, `max(clew_part_oldest_age_seconds{service="${name}"})`, OLDEST_SECONDS),
        ],
      },
    },
  ]);
}

function figure(serverAddress: string, query: string, threshold: number) {
  return { type: 'prometheus', metadata: { serverAddress, query, threshold: String(threshold) } };
}

function queuesOf(consumer: string): string[] {
  return Object.values<QueueSpec>(QUEUES)
    .filter((queue) => queue.consumer === consumer && queue.retired !== true)
    .map(({ name }) => name);
}
