import { serviceDefinition, type ServiceName } from '@clew/contracts/services';
import { terminationSecondsOf } from '@clew/contracts/shutdown';
import {
  accessSecretOf,
  CONTAINER_SECURITY,
  containerOf,
  labelsOf,
  migrationSecretOf,
  POD_SECURITY,
  PORT,
  secretVariable,
  spreadOf,
  volumesOf,
} from './pod.ts';
import { withEngines } from './runtime-agent.ts';
import { MIGRATED, type Workload } from './workloads.ts';

export type KubernetesObject = Readonly<Record<string, unknown>>;

/** All that runs one process: its account, address, pods, and how many of them may be away at a time. */
export function workloadObjects(workload: Workload): KubernetesObject[] {
  const { name, volume } = workload;
  const metadata = { name, labels: labelsOf(name) };
  return [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata, automountServiceAccountToken: false },
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

const selectorOf = (name: string) => ({ 'app.kubernetes.io/name': name });

function service({ name, ports, volume }: Workload): KubernetesObject {
  // What listens on ports of its choice is reached at the address of its pod.
  const headless =
    ports.length > 0 || volume !== undefined ? { clusterIP: 'None', publishNotReadyAddresses: true } : {};
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, labels: labelsOf(name) },
    // A pod is reached by its name before all of it is ready, too.
    spec: { ...headless, selector: selectorOf(name), ports: [{ name: 'http', port: PORT, targetPort: 'http' }] },
  };
}

function deployment(workload: Workload): KubernetesObject {
  const { name, replicas } = workload;
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, labels: labelsOf(name) },
    spec: {
      replicas,
      revisionHistoryLimit: 3,
      // The old version serves until the new one is ready, which it is only when its migrations have run.
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
    metadata: { name, labels: labelsOf(name) },
    spec: {
      ...{ replicas, serviceName: name, revisionHistoryLimit: 3 },
      selector: { matchLabels: selectorOf(name) },
      template: withEngines(podOf(workload), workload),
      volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: claim }],
    },
  };
}

function podOf(workload: Workload) {
  const { name } = workload;
  return {
    metadata: { labels: labelsOf(name) },
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

/** A job for each app with something to bring up to date; its name holds the version, so each version has its own. */
export function migrationJobs(version: string): KubernetesObject[] {
  return MIGRATED.map((name) => migrationJob(name, version));
}

function migrationJob(app: ServiceName, version: string): KubernetesObject {
  const name = `migrate-${app}`;
  const { database } = serviceDefinition(app);
  const secret = migrationSecretOf(app);
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: `${name}-${version.replaceAll('.', '-')}`,
      labels: { ...labelsOf(name), 'clew.dev/role': 'migration' },
      // Tools that roll out in steps run it first; without one, pods are not ready before it has ended.
      annotations: {
        'argocd.argoproj.io/hook': 'PreSync',
        'argocd.argoproj.io/hook-delete-policy': 'BeforeHookCreation',
      },
    },
    spec: {
      backoffLimit: 6,
      template: {
        metadata: { labels: { ...labelsOf(name), 'clew.dev/role': 'migration' } },
        spec: {
          serviceAccountName: app,
          automountServiceAccountToken: false,
          enableServiceLinks: false,
          restartPolicy: 'OnFailure',
          securityContext: POD_SECURITY,
          containers: [
            {
              name: 'migrate',
              image: `clew/${app}`,
              command: ['node', 'app/dist/migrate.js'],
              env: [secretVariable(database === undefined ? 'AMQP_URL' : 'MONGO_URL', secret)],
              resources: { requests: { cpu: '50m', memory: '128Mi' }, limits: { cpu: '1', memory: '512Mi' } },
              securityContext: CONTAINER_SECURITY,
            },
          ],
        },
      },
    },
  };
}

/** Who may reach the servers with what: the names of the Secrets that an installation has to hold. */
export function secretNames(names: readonly ServiceName[]): string[] {
  const identity = names.filter((name) => serviceDefinition(name).signsIdentity).map((name) => `clew-identity-${name}`);
  return [
    'clew-auth',
    'clew-agent-keys',
    ...names.map(accessSecretOf),
    ...MIGRATED.map(migrationSecretOf),
    ...identity,
  ];
}
