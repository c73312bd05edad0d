import { SERVICE_NAMES, serviceDefinition } from '@clew/contracts/services';
import { alertGroups } from '../monitoring/alerts.ts';
import type { KubernetesObject } from './base.ts';
import { labelsOf, PORT, selectorOf } from './pod.ts';
import { inWave } from './waves.ts';

const labels = labelsOf('clew-monitoring', 'monitoring');

const IS_OURS = { 'app.kubernetes.io/part-of': 'clew' };
/** Selector that excludes pods that end by themselves. */
const LASTS = { key: 'clew.dev/role', operator: 'DoesNotExist' };

/** Pods with the port on which they answer `/metrics`: for most that of their API, for some a separate one. */
interface Source {
  readonly name: string;
  readonly portName: string;
  readonly port: number;
  readonly selector: object;
}

function sources(): Source[] {
  const apart = SERVICE_NAMES.flatMap((name) => {
    const { operationsPort: port } = serviceDefinition(name);
    return port === undefined ? [] : [{ name, port }];
  });
  const names = apart.map(({ name }) => name);
  const others = { key: 'app.kubernetes.io/name', operator: 'NotIn', values: names };
  return [
    {
      name: 'clew',
      portName: 'http',
      port: PORT,
      selector: { matchLabels: IS_OURS, matchExpressions: [LASTS, others] },
    },
    ...apart.map(({ name, port }) => ({
      ...{ name: `clew-${name}`, portName: 'operations', port },
      selector: { matchLabels: selectorOf(name) },
    })),
  ];
}

/** Lets Prometheus scrape every pod, and reach nothing else. */
export function monitoringObjects(): KubernetesObject[] {
  return sources().flatMap(({ name, portName, port, selector }) => [
    {
      apiVersion: 'monitoring.coreos.com/v1',
      kind: 'PodMonitor',
      metadata: { name, labels },
      spec: { selector, podMetricsEndpoints: [{ port: portName, path: '/metrics', interval: '15s' }] },
    },
    {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      metadata: { name: `monitoring-${name}`, labels, annotations: inWave('ground') },
      spec: {
        podSelector: selector,
        policyTypes: ['Ingress'],
        ingress: [
          {
            from: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } }],
            ports: [{ protocol: 'TCP', port }],
          },
        ],
      },
    },
  ]);
}

/** Alert rules in the format of the Prometheus operator. */
export function alertRules(): KubernetesObject {
  return {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: { name: 'clew', labels },
    spec: { groups: alertGroups() },
  };
}
