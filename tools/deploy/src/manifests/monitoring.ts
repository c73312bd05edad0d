import { alertGroups } from '../monitoring/alerts.ts';
import type { KubernetesObject } from './base.ts';
import { labelsOf, PORT } from './pod.ts';

const labels = labelsOf('clew-monitoring');

/** Prometheus asks every pod, and may reach every pod for that and nothing else. */
export function monitoringObjects(): KubernetesObject[] {
  const isOurs = { matchLabels: { 'app.kubernetes.io/part-of': 'clew' } };
  const notForJobs = { key: 'clew.dev/role', operator: 'NotIn', values: ['migration'] };
  return [
    {
      apiVersion: 'monitoring.coreos.com/v1',
      kind: 'PodMonitor',
      metadata: { name: 'clew', labels },
      spec: {
        selector: { ...isOurs, matchExpressions: [notForJobs] },
        podMetricsEndpoints: [{ port: 'http', path: '/metrics', interval: '15s' }],
      },
    },
    {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      metadata: { name: 'monitoring', labels },
      spec: {
        podSelector: { ...isOurs, matchExpressions: [notForJobs] },
        policyTypes: ['Ingress'],
        ingress: [
          {
            from: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } }],
            ports: [{ protocol: 'TCP', port: PORT }],
          },
        ],
      },
    },
  ];
}

/** The alerts, for the operator of Prometheus. */
export function alertRules(): KubernetesObject {
  return {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: { name: 'clew', labels },
    spec: { groups: alertGroups() },
  };
}
