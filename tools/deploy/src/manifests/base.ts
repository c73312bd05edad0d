import { serviceDefinition } from '@clew/contracts/services';
import { terminationSecondsOf } from '@clew/contracts/shutdown';
import { containerOf, labelsOf, POD_SECURITY, PORT, selectorOf, spreadOf, volumesOf, type Part } from './pod.ts';
import { withEngines } from './runtime-agent.ts';
import { inWave } from './waves.ts';
import type { Workload } from './workload.ts';

export type KubernetesObject = Readonly<Record<string, unknown>>;

/** All objects of one process: its account, address, pods, and how many of its pods may be down at a time. */
export function workloadObjects(workload: Workload): KubernetesObject[] {
  const { name, volume } = workload;
  const metadata = metadataOf(workload);
  return [
    serviceAccount(name, partOf(workload)),
    service(workload),
    volume === undefined ? deployment(workload) : statefulSet(workload, volume),
    {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata,
      spec: { maxUnavailable: 1, selector: { matchLabels: selectorOf(name) } },
    },
  ];
}

/** Service account of a pod: it has no permissions, and its token is never mounted. */
export function serviceAccount(name: string, part: Part): KubernetesObject {
  const metadata = { name, labels: labelsOf(name, part), annotations: inWave('ground') };
  return { apiVersion: 'v1', kind: 'ServiceAccount', metadata, automountServiceAccountToken: false };
}

function partOf({ name, volume }: Workload): Part {
  if (volume !== undefined) return 'agent';
  return serviceDefinition(name).isScalable ? 'worker' : 'service';
}

function metadataOf(workload: Workload) {
  return { name: workload.name, labels: labelsOf(workload.name, partOf(workload)) };
}

function service(workload: Workload): KubernetesObject {
  const { name, ports, volume } = workload;
  // Processes with further ports or a volume are reached at the address of their pod.
  const headless =
    ports.length > 0 || volume !== undefined ? { clusterIP: 'None', publishNotReadyAddresses: true } : {};
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: metadataOf(workload),
    // Pods must be reachable by name even before all of them are ready.
    spec: { ...headless, selector: selectorOf(name), ports: [{ name: 'http', port: PORT, targetPort: 'http' }] },
  };
}

function deployment(workload: Workload): KubernetesObject {
  const { name, replicas } = workload;
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: metadataOf(workload),
    spec: {
      replicas,
      revisionHistoryLimit: 3,
      // The old version serves until the new one is ready, which requires that its migrations have run.
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      selector: { matchLabels: selectorOf(name) },
      template: podOf(workload),
    },
  };
}

function statefulSet(workload: Workload, volume: NonNullable<Workload['volume']>): KubernetesObject {
  const { name, replicas } = workload;
  const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: volume.size } } };
  return {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: metadataOf(workload),
    spec: {
      ...{ replicas, serviceName: name, revisionHistoryLimit: 3 },
      selector: { matchLabels: selectorOf(name) },
      template: withEngines(podOf(workload), workload),
      // Volumes outlive the StatefulSet, even if it is deleted.
      persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Retain' },
      volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: claim }],
    },
  };
}

function podOf(workload: Workload) {
  const { name } = workload;
  return {
    metadata: { labels: labelsOf(name, partOf(workload)) },
    spec: {
      serviceAccountName: name,
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      terminationGracePeriodSeconds: terminationSecondsOf(name),
      securityContext: POD_SECURITY,
      topologySpreadConstraints: spreadOf(name),
      containers: [containerOf(workload)],
      volumes: volumesOf(workload),
    },
  };
}
