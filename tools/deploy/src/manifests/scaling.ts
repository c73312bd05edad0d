import { serviceDefinition } from '@clew/contracts/services';
import { QUEUES, type QueueSpec } from '@clew/messaging';
import type { KubernetesObject } from './base.ts';
import { labelsOf, type Part } from './pod.ts';
import { WORKLOADS } from './workloads.ts';

/** One of two may go for a while, and the other serves. */
const MIN_REPLICAS = 2;
const MAX_REPLICAS = 10;

/**
 * The share of the one core of an event loop above which another replica starts. An amount and no share of what is
 * requested: a small request does not make a busy process.
 */
const BUSY_PROCESSOR = '700m';

/** Messages of a queue that one worker is to have before it: what it works through in some seconds. */
const MESSAGES_PER_WORKER = 20;
/** A message that has waited for so long wants one more worker. */
const OLDEST_SECONDS = 30;

/** Rows that their owners hand out only as workers have room for them (ADRs 21, 35): in the queues they do not show. */
const WAITING_ROWS = [
  { service: 'knowledge-svc', part: 'readings' },
  { service: 'diagnostics-svc', part: 'adjudication' },
  { service: 'diagnostics-svc', part: 'analysis commands' },
] as const;

/** Processes that are called, and need no volume of their own. */
export const SCALED_BY_CALLS = WORKLOADS.filter(
  ({ name, volume }) => volume === undefined && !serviceDefinition(name).isScalable,
);

/** Processes that take from queues. */
export const SCALED_BY_QUEUES = WORKLOADS.filter(({ name }) => serviceDefinition(name).isScalable);

/**
 * Wait for models more than they work, so that processor time says little of how busy they are: requests under way do.
 * Of model-runtime-svc those that a model answers; whoever listens to its events waits for nothing.
 */
const SCALED_BY_REQUESTS = [
  { name: 'gateway', perReplica: 100, inFlight: (of: string) => `sum(clew_gateway_requests_in_flight{${of}})` },
  {
    name: 'model-runtime-svc',
    perReplica: 30,
    inFlight: (of: string) =>
      `sum(clew_http_requests_in_flight{${of},service="model-runtime-svc",class=~"inference|audio"})`,
  },
] as const;

export const NAMES_SCALED_BY_REQUESTS = SCALED_BY_REQUESTS.map(({ name }) => name);

/** Stands for the namespace in queries; an overlay replaces it by its own. */
const OWN_NAMESPACE = 'namespace="clew"';

/** By processor time, for what is called; what takes from queues scales by them. */
export function horizontalAutoscalers(): KubernetesObject[] {
  return SCALED_BY_CALLS.map(({ name }) => ({
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name, labels: labelsOf(name, 'service') },
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name },
      ...{ minReplicas: MIN_REPLICAS, maxReplicas: MAX_REPLICAS },
      metrics: [
        { type: 'Resource', resource: { name: 'cpu', target: { type: 'AverageValue', averageValue: BUSY_PROCESSOR } } },
      ],
      // Replicas that have just been started are not ended at once: starting costs more than waiting.
      behavior: { scaleDown: { stabilizationWindowSeconds: 300 } },
    },
  }));
}

/** By what waits in the queues that a process takes from and with their owners, and by how long the first has waited. */
export function queueScalers(prometheus: string): KubernetesObject[] {
  return SCALED_BY_QUEUES.flatMap(({ name }) => [
    {
      apiVersion: 'keda.sh/v1alpha1',
      kind: 'TriggerAuthentication',
      metadata: { name, labels: labelsOf(name, 'worker') },
      spec: { secretTargetRef: [{ parameter: 'host', name: `clew-${name}`, key: 'AMQP_URL' }] },
    },
    scaledObject(name, 'worker', [
      ...queuesOf(name).map((queueName) => ({
        type: 'rabbitmq',
        metadata: { protocol: 'amqp', queueName, mode: 'QueueLength', value: String(MESSAGES_PER_WORKER) },
        authenticationRef: { name },
      })),
      ...WAITING_ROWS.map(({ service, part }) =>
        prometheusTrigger(
          prometheus,
          `max(clew_part_waiting{${OWN_NAMESPACE},service="${service}",part="${part}"})`,
          MESSAGES_PER_WORKER,
        ),
      ),
      prometheusTrigger(
        prometheus,
        `max(clew_part_oldest_age_seconds{${OWN_NAMESPACE},service="${name}"})`,
        OLDEST_SECONDS,
      ),
    ]),
  ]);
}

/** By requests under way, as Prometheus knows them, and by processor time as all that is called. */
export function requestScalers(prometheus: string): KubernetesObject[] {
  return SCALED_BY_REQUESTS.map(({ name, perReplica, inFlight }) =>
    scaledObject(name, 'service', [
      prometheusTrigger(prometheus, inFlight(OWN_NAMESPACE), perReplica),
      { type: 'cpu', metricType: 'AverageValue', metadata: { value: BUSY_PROCESSOR } },
    ]),
  );
}

const prometheusTrigger = (serverAddress: string, query: string, threshold: number) => ({
  type: 'prometheus',
  metadata: { serverAddress, query, threshold: String(threshold) },
});

function scaledObject(name: string, part: Part, triggers: readonly object[]): KubernetesObject {
  return {
    apiVersion: 'keda.sh/v1alpha1',
    kind: 'ScaledObject',
    metadata: { name, labels: labelsOf(name, part) },
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name },
      ...{ minReplicaCount: MIN_REPLICAS, maxReplicaCount: MAX_REPLICAS, pollingInterval: 10, cooldownPeriod: 300 },
      // While nobody can tell what waits, there are as many as now and then are needed.
      fallback: { failureThreshold: 3, replicas: MIN_REPLICAS + 1 },
      triggers,
    },
  };
}

function queuesOf(consumer: string): string[] {
  return Object.values<QueueSpec>(QUEUES)
    .filter((queue) => queue.consumer === consumer && queue.retired !== true)
    .map(({ name }) => name);
}
