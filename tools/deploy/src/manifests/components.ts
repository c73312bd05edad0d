import { NEEDS_OF_SERVERS } from '../access/recipes.ts';
import { DASHBOARDS } from '../monitoring/dashboards.ts';
import type { KubernetesObject } from './base.ts';
import { COMPONENT } from './kustomizations.ts';
import { labelsOf, SETTINGS_NAME, VERSION_LABEL } from './pod.ts';
import { NAMES_SCALED_BY_REQUESTS, SCALED_BY_CALLS, SCALED_BY_QUEUES } from './scaling.ts';
import { preflightOf } from './steps.ts';
import { inWave } from './waves.ts';

/** Removes the number of replicas, so that an autoscaler decides it. */
function withoutReplicas(names: readonly string[]): object {
  return {
    target: { kind: 'Deployment', name: `(${names.join('|')})` },
    patch: 'apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: any }\nspec: { replicas: null }\n',
  };
}

export const HPA_KUSTOMIZATION = {
  ...COMPONENT,
  resources: ['autoscalers.yaml'],
  patches: [withoutReplicas(SCALED_BY_CALLS.map(({ name }) => name))],
};

export const WORKER_SCALING_KUSTOMIZATION = {
  ...COMPONENT,
  resources: ['scalers.yaml'],
  patches: [withoutReplicas(SCALED_BY_QUEUES.map(({ name }) => name))],
};

/** Must follow `hpa`, which it replaces for some workloads. */
export const REQUEST_SCALING_KUSTOMIZATION = {
  ...COMPONENT,
  resources: ['scalers.yaml'],
  patches: [
    withoutReplicas(NAMES_SCALED_BY_REQUESTS),
    {
      target: { kind: 'HorizontalPodAutoscaler', name: `(${NAMES_SCALED_BY_REQUESTS.join('|')})` },
      patch: '$patch: delete\napiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: { name: any }\n',
    },
  ],
};

/** Component that only adds the objects of one file. */
export const componentOf = (file: string) => ({ ...COMPONENT, resources: [file] });

/** The sidecar of Grafana picks up ConfigMaps with this label. */
export const monitoringKustomization = (version: string) => ({
  ...COMPONENT,
  resources: ['monitoring.yaml', 'alerts.yaml'],
  configMapGenerator: DASHBOARDS.map(({ name }) => ({
    name: `clew-dashboard-${name}`,
    files: [`dashboards/${name}.json`],
    options: {
      disableNameSuffixHash: true,
      labels: { ...labelsOf('clew-monitoring', 'monitoring'), [VERSION_LABEL]: version, grafana_dashboard: '1' },
    },
  })),
});

/** Collector of the component; an overlay may set another address. */
const COLLECTOR = { namespace: 'observability', port: 4318 };

/** Sends traces to a collector in the cluster. Without this component, tracing is off. */
export const TRACING_KUSTOMIZATION = {
  ...COMPONENT,
  resources: ['tracing.yaml'],
  configMapGenerator: [
    {
      ...{ name: SETTINGS_NAME, behavior: 'merge' },
      literals: [
        `OTEL_EXPORTER_OTLP_ENDPOINT=http://otel-collector.${COLLECTOR.namespace}.svc:${COLLECTOR.port}`,
        'OTEL_TRACES_SAMPLER_ARG=0.01',
      ],
    },
  ],
};

/** All processes may connect to the collector. */
export const TRACING_POLICY: KubernetesObject = {
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name: 'tracing', labels: labelsOf('clew-tracing', 'network'), annotations: inWave('ground') },
  spec: {
    podSelector: { matchLabels: { 'app.kubernetes.io/part-of': 'clew' } },
    policyTypes: ['Egress'],
    egress: [
      {
        to: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': COLLECTOR.namespace } } }],
        ports: [{ protocol: 'TCP', port: COLLECTOR.port }],
      },
    ],
  },
};

/** Versions of the images in the files of this component; the labels there must agree. */
const MONGODB_VERSION = '8.0.4';
const RABBITMQ_VERSION = '4.1.0';

/** Servers in the cluster. They create their users themselves, from additional values of the installation. */
export const SERVERS_KUSTOMIZATION = {
  ...COMPONENT,
  resources: ['mongodb.yaml', 'rabbitmq.yaml', 'policies.yaml'],
  // A change of user permissions changes the ConfigMap's name, and so restarts the server that reads it.
  configMapGenerator: [
    setupOf('mongodb', 'database', MONGODB_VERSION, ['mongodb-setup.js', 'mongodb-users.js']),
    setupOf('rabbitmq', 'broker', RABBITMQ_VERSION, ['rabbitmq.conf', 'rights.json']),
  ],
  patches: [preflightOf(NEEDS_OF_SERVERS)],
};

function setupOf(name: string, component: string, version: string, files: readonly string[]) {
  const labels = {
    'app.kubernetes.io/name': name,
    'app.kubernetes.io/component': component,
    [VERSION_LABEL]: version,
  };
  return { name: `${name}-setup`, files, options: { labels, annotations: inWave('servers') } };
}
