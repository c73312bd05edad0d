import { serviceDefinition } from '@clew/contracts/services';
import { DASHBOARDS } from '../monitoring/dashboards.ts';
import { MIGRATED, WORKLOADS } from './workloads.ts';
import type { KubernetesObject } from './base.ts';
import { labelsOf } from './pod.ts';

const KUSTOMIZATION = { apiVersion: 'kustomize.config.k8s.io/v1beta1', kind: 'Kustomization' } as const;
const COMPONENT = { apiVersion: 'kustomize.config.k8s.io/v1alpha1', kind: 'Component' } as const;

/** Where everything runs; nothing in it may do more than the restricted standard allows. */
export const NAMESPACE: KubernetesObject = {
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: {
    name: 'clew',
    labels: Object.fromEntries(
      ['enforce', 'audit', 'warn'].map((mode) => [`pod-security.kubernetes.io/${mode}`, 'restricted']),
    ),
  },
};

/** What all processes read alike. */
export const SETTINGS: KubernetesObject = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'clew-settings', labels: labelsOf('clew-settings') },
  data: { LOG_LEVEL: 'info', DEPLOYMENT_TARGET: 'server' },
};

const IMAGE_NAMES = [...new Set([...WORKLOADS.map(({ image }) => image), ...MIGRATED])];

/** The base; its images have the version of this checkout. */
export function baseKustomization(version: string): object {
  return {
    ...KUSTOMIZATION,
    namespace: 'clew',
    resources: [
      ...['namespace.yaml', 'settings.yaml', 'migrations.yaml'],
      ...WORKLOADS.map(({ name }) => `apps/${name}.yaml`),
    ],
    images: IMAGE_NAMES.map((name) => ({ name: `clew/${name}`, newTag: version })),
  };
}

/** Where an autoscaler decides how many there are, nothing else says it. */
function withoutReplicas(name: string): object {
  return {
    target: { kind: 'Deployment', name },
    patch: '- op: remove\n  path: /spec/replicas\n',
  };
}

const SCALED_BY_CALLS = WORKLOADS.filter(
  ({ name, volume }) => volume === undefined && !serviceDefinition(name).isScalable,
).map(({ name }) => name);

export const HPA_KUSTOMIZATION = {
  ...COMPONENT,
  resources: ['autoscalers.yaml'],
  patches: [withoutReplicas(`(${SCALED_BY_CALLS.join('|')})`)],
};

export const WORKER_SCALING_KUSTOMIZATION = {
  ...COMPONENT,
  resources: ['scalers.yaml'],
  patches: [withoutReplicas('jobs-worker')],
};

export const POLICIES_KUSTOMIZATION = { ...COMPONENT, resources: ['policies.yaml'] };

/** Grafana's sidecar takes what has the label. */
export const MONITORING_KUSTOMIZATION = {
  ...COMPONENT,
  resources: ['monitoring.yaml', 'alerts.yaml'],
  configMapGenerator: DASHBOARDS.map(({ name }) => ({
    name: `clew-dashboard-${name}`,
    files: [`dashboards/${name}.json`],
    options: { disableNameSuffixHash: true, labels: { ...labelsOf('clew-monitoring'), grafana_dashboard: '1' } },
  })),
};

/** Where the component looks for a collector; an overlay may say another address. */
const COLLECTOR = { namespace: 'observability', port: 4318 };

/** Traces to a collector in the cluster. Off where an overlay does not take it. */
export const TRACING_KUSTOMIZATION = {
  ...COMPONENT,
  resources: ['tracing.yaml'],
  patches: [
    {
      target: { kind: 'ConfigMap', name: 'clew-settings' },
      patch: [
        '- op: add',
        '  path: /data/OTEL_EXPORTER_OTLP_ENDPOINT',
        `  value: http://otel-collector.${COLLECTOR.namespace}.svc:${COLLECTOR.port}`,
        '- { op: add, path: /data/OTEL_TRACES_SAMPLER_ARG, value: "0.01" }',
        '',
      ].join('\n'),
    },
  ],
};

/** All processes may reach the collector. */
export const TRACING_POLICY: KubernetesObject = {
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name: 'tracing', labels: labelsOf('clew-tracing') },
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
