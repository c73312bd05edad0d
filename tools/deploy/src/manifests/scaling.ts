import { serviceDefinition } from '@clew/contracts/services';
import { QUEUES, type QueueSpec } from '@clew/messaging';
import type { KubernetesObject } from './base.ts';
import { labelsOf, type Part } from './pod.ts';
import { WORKLOADS } from './workloads.ts';

/** One of two replicas may be down for a while, while the other one serves. */
const MIN_REPLICAS = 2;
const MAX_REPLICAS = 10;

/**
 * Use of the event loop's single core above which another replica starts. It is an amount, not a share of the requested
 * resources: a small request does not make a process busy.
 */
const BUSY_PROCESSOR = '700m';

/** Queued messages per worker: a worker processes these in some seconds. */
const MESSAGES_PER_WORKER = 20;
/** Waiting time of the oldest message, in seconds, above which one more worker starts. */
const OLDEST_SECONDS = 30;

/** Tasks that their services hand out only when workers have capacity (ADRs 21, 35): queues do not show them. */
const WAITING_ROWS = [
  { service: 'knowledge-svc', part: 'extractions' },
  { service: 'diagnostics-svc', part: 'adjudication' },
  { service: 'diagnostics-svc', part: 'review' },
  { service: 'diagnostics-svc', part: 'analysis commands' },
] as const;

/** Processes that are called and have no volume. */
export const SCALED_BY_CALLS = WORKLOADS.filter(
  ({ name, volume }) => volume === undefined && !serviceDefinition(name).isScalable,
);

/** Processes that consume queues. */
export const SCALED_BY_QUEUES = WORKLOADS.filter(({ name }) => serviceDefinition(name).isScalable);

/**
 * Processes that mostly wait for models, so that processor time says little about their load; the requests in flight
 * do. For model-runtime-svc, only requests that a model answers count; a listener to its events causes no load.
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

/** Placeholder for the namespace in queries; an overlay replaces it with its own. */
const OWN_NAMESPACE = 'namespace="clew"';

/** Autoscalers by processor time, for processes that are called; those with queues scale by their queues. */
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
      // New replicas are not stopped at once: a start costs more than waiting.
      behavior: { scaleDown: { stabilizationWindowSeconds: 300 } },
    },
  }));
}

/**
 * Scalers by the messages in a process's queues, by the tasks that wait in other services, and by the age of the
 * oldest.
 */
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

/** Scalers by requests in flight, queried from Prometheus, and by processor time like all processes that are called. */
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
      // Without metrics, run as many replicas as are needed occasionally.
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
