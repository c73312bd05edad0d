import { serviceDefinition, type ServiceName } from '@clew/contracts/services';
import { callersOf, callsOf } from '../access/calls.ts';
import { usesDatabase } from '../access/databases.ts';
import type { KubernetesObject } from './base.ts';
import { labelsOf, PORT, selectorOf } from './pod.ts';
import { CLI_NAME } from './steps.ts';
import { inWave } from './waves.ts';
import type { Workload } from './workload.ts';
import { MIGRATED, WORKLOADS } from './workloads.ts';

const pods = (name: string) => ({ podSelector: { matchLabels: selectorOf(name) } });
const namespace = (name: string) => ({
  namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': name } },
});
const tcp = (port: number, endPort?: number) => ({
  protocol: 'TCP',
  port,
  ...(endPort === undefined ? {} : { endPort }),
});

const TO_MONGO = { to: [pods('mongodb')], ports: [tcp(27_017)] };
const TO_BROKER = { to: [pods('rabbitmq')], ports: [tcp(5_672), tcp(5_671)] };
/** Egress to DNS: in its usual namespace, in that of OpenShift, and on each machine (NodeLocal DNSCache). */
const TO_NAMES = {
  to: [namespace('kube-system'), namespace('openshift-dns'), { ipBlock: { cidr: '169.254.20.10/32' } }],
  // Policies apply to the port of the pod, which is 5353 in OpenShift.
  ports: [53, 5_353].flatMap((port) => ['TCP', 'UDP'].map((protocol) => ({ protocol, port }))),
};
/** Addresses outside the cluster and private networks. The process itself also checks the URLs of providers. */
const TO_INTERNET = {
  to: [
    {
      ipBlock: {
        cidr: '0.0.0.0/0',
        except: ['10.0.0.0/8', '100.64.0.0/10', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16'],
      },
    },
    { ipBlock: { cidr: '::/0', except: ['fc00::/7', 'fe80::/10'] } },
  ],
  ports: [tcp(443), tcp(80)],
};

/**
 * Forbids all connections except those in the tables: from callers to their services, to databases, to the broker, and
 * to DNS.
 */
export function networkPolicies(): KubernetesObject[] {
  return [
    policy('default-deny', {}, { policyTypes: ['Ingress', 'Egress'] }),
    ...WORKLOADS.map(workloadPolicy),
    ...MIGRATED.map(migrationPolicy),
    policy(CLI_NAME, selectorOf(CLI_NAME), { policyTypes: ['Ingress', 'Egress'], egress: [TO_NAMES, TO_BROKER] }),
  ];
}

function workloadPolicy(workload: Workload): KubernetesObject {
  const { name, reachesOut, ports } = workload;
  const callers = callersOf(name);
  const ingress = [
    ...(callers.length === 0 ? [] : [{ from: callers.map(pods), ports: [tcp(PORT)] }]),
    ...ports.map(({ first, last, usedBy }) => ({ from: [pods(usedBy)], ports: [tcp(first, last)] })),
    // Callers come from the namespace of the ingress controller, which the overlay labels.
    ...(name === 'gateway'
      ? [{ from: [{ namespaceSelector: { matchLabels: { 'clew.dev/ingress': 'true' } } }], ports: [tcp(PORT)] }]
      : []),
  ];
  const egress = [
    ...[TO_NAMES, TO_BROKER],
    ...(usesDatabase(name) ? [TO_MONGO] : []),
    ...callsOf(name).map((called) => ({ to: [pods(called)], ports: [tcp(PORT)] })),
    ...portsUsedBy(name),
    ...(reachesOut ? [TO_INTERNET] : []),
  ];
  // An API server drops an empty list, so each apply would change the object again.
  const allowed = { ...(ingress.length === 0 ? {} : { ingress }), egress };
  return policy(name, selectorOf(name), { policyTypes: ['Ingress', 'Egress'], ...allowed });
}

function portsUsedBy(user: ServiceName) {
  return WORKLOADS.flatMap(({ name, ports }) =>
    ports
      .filter(({ usedBy }) => usedBy === user)
      .map(({ first, last }) => ({ to: [pods(name)], ports: [tcp(first, last)] })),
  );
}

function migrationPolicy(app: ServiceName): KubernetesObject {
  const name = `migrate-${app}`;
  const server = serviceDefinition(app).database === undefined ? TO_BROKER : TO_MONGO;
  const spec = { policyTypes: ['Ingress', 'Egress'], egress: [TO_NAMES, server] };
  return policy(name, selectorOf(name), spec);
}

function policy(name: string, selector: Readonly<Record<string, string>>, spec: object): KubernetesObject {
  const podSelector = Object.keys(selector).length === 0 ? {} : { matchLabels: selector };
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name, labels: labelsOf(name, 'network'), annotations: inWave('ground') },
    spec: { podSelector, ...spec },
  };
}
