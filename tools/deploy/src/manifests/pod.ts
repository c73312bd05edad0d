import { addressVariable, serviceDefinition, type ServiceName } from '@clew/contracts/services';
import { PRE_STOP_SECONDS } from '@clew/contracts/shutdown';
import { callsOf } from '../access/calls.ts';
import { usesDatabase } from '../access/databases.ts';
import type { Workload } from './workload.ts';

/** The port that every container listens on. */
export const PORT = 8080;

/** Nobody of a machine has this id. */
export const USER = 10_001;

export const KEYS_FOLDER = '/identity';

/** The settings that all processes read alike; the name ends with a hash of them. */
export const SETTINGS_NAME = 'clew-settings';

export const PUBLIC_KEYS_NAME = 'clew-identity-public-keys';

/**
 * Stands for the registry of an installation, which its overlay names: the domain cannot exist (RFC 6761), so that nobody
 * runs the image of a stranger who has the same name on a public hub.
 */
const REGISTRY = 'registry.invalid/clew';

export const imageOf = (name: string) => `${REGISTRY}/${name}`;

/** The part that an object has in the whole, as `app.kubernetes.io/component`. */
export type Part =
  'service' | 'worker' | 'agent' | 'migration' | 'preflight' | 'command-line' | 'settings' | 'monitoring' | 'network';

/** The labels of an object but for those of an installation (instance, version), which kustomizations add. */
export const labelsOf = (name: string, part: Part) => ({
  'app.kubernetes.io/name': name,
  'app.kubernetes.io/component': part,
  'app.kubernetes.io/part-of': 'clew',
});

/** Changes with each release, so that it is in no selector and on no claim of a volume. */
export const VERSION_LABEL = 'app.kubernetes.io/version';

/** The labels that pods are found by, which can never change. */
export const selectorOf = (name: string) => ({ 'app.kubernetes.io/name': name });

/** What the restricted standard of pod security asks of a pod. */
export const POD_SECURITY = {
  runAsNonRoot: true,
  runAsUser: USER,
  runAsGroup: USER,
  fsGroup: USER,
  seccompProfile: { type: 'RuntimeDefault' },
} as const;

export const CONTAINER_SECURITY = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  runAsNonRoot: true,
  capabilities: { drop: ['ALL'] },
} as const;

/** A value of a Secret; the Secrets themselves are made where the system is installed. */
export function secretVariable(variable: string, secret: string, key = variable) {
  return { name: variable, valueFrom: { secretKeyRef: { name: secret, key } } };
}

/** What the process connects to the servers with: a user of its own at each. */
export const accessSecretOf = (name: ServiceName) => `clew-${name}`;
export const migrationSecretOf = (name: ServiceName) => `clew-${name}-migrate`;

export function containerOf(workload: Workload) {
  const { name, command, memory, cpu, volume, mounts } = workload;
  return {
    name,
    image: imageOf(name),
    command: [...command],
    env: environmentOf(workload),
    envFrom: [{ configMapRef: { name: SETTINGS_NAME } }],
    ports: [{ name: 'http', containerPort: PORT }, ...operationsPortOf(name)],
    ...probesOf(name),
    // Endpoints learn of the end a moment after the process does: it serves on for so long.
    lifecycle: { preStop: { sleep: { seconds: PRE_STOP_SECONDS } } },
    resources: {
      requests: { cpu: cpu.request, memory: memory.request },
      limits: { cpu: cpu.limit, memory: memory.limit },
    },
    securityContext: CONTAINER_SECURITY,
    volumeMounts: [
      { name: 'scratch', mountPath: '/tmp' },
      { name: 'identity', mountPath: KEYS_FOLDER, readOnly: true },
      ...(volume === undefined ? [] : [{ name: 'data', mountPath: volume.path }]),
      ...mounts,
    ],
  };
}

function operationsPortOf(name: ServiceName) {
  const { operationsPort } = serviceDefinition(name);
  return operationsPort === undefined ? [] : [{ name: 'operations', containerPort: operationsPort }];
}

/** Liveness as the surface answers it (specification, Health); it knows nothing of servers, readiness does. */
export function probesOf(name: ServiceName) {
  const live = { httpGet: { path: serviceDefinition(name).health.path, port: 'http' }, timeoutSeconds: 5 };
  return {
    startupProbe: { ...live, periodSeconds: 2, failureThreshold: 60 },
    livenessProbe: { ...live, periodSeconds: 10, failureThreshold: 3 },
    readinessProbe: {
      httpGet: { path: '/readyz', port: 'http' },
      periodSeconds: 5,
      timeoutSeconds: 5,
      failureThreshold: 2,
    },
  };
}

function environmentOf({ name, environment, podFields }: Workload) {
  const { signsIdentity, hasDerivedKeys } = serviceDefinition(name);
  const addresses = callsOf(name).map((called) => [addressVariable(called), `http://${called}:${PORT}`] as const);
  const keys = signsIdentity ? { IDENTITY_PRIVATE_KEY_FILE: `${KEYS_FOLDER}/private.pem` } : {};
  const plain = {
    ...{ PORT: String(PORT), IDENTITY_PUBLIC_KEYS_FILE: `${KEYS_FOLDER}/public-keys.json` },
    ...{ ...keys, ...Object.fromEntries(addresses), ...environment },
  };
  return [
    ...Object.entries(podFields).map(([variable, fieldPath]) => ({
      name: variable,
      valueFrom: { fieldRef: { fieldPath } },
    })),
    ...Object.entries(plain).map(([variable, value]) => ({ name: variable, value })),
    secretVariable('AMQP_URL', accessSecretOf(name)),
    // Who keeps nothing has no use for what it is kept with.
    ...(usesDatabase(name) ? [secretVariable('MONGO_URL', accessSecretOf(name))] : []),
    ...(usesDatabase(name) && hasDerivedKeys !== true ? [secretVariable('AUTH_SECRET', 'clew-auth')] : []),
  ];
}

export function volumesOf({ name, scratch }: Workload) {
  const { signsIdentity } = serviceDefinition(name);
  const ownKey = { secret: { name: `clew-identity-${name}`, items: [{ key: 'private.pem', path: 'private.pem' }] } };
  return [
    { name: 'scratch', emptyDir: { sizeLimit: scratch } },
    {
      name: 'identity',
      projected: {
        sources: [{ configMap: { name: PUBLIC_KEYS_NAME } }, ...(signsIdentity ? [ownKey] : [])],
      },
    },
  ];
}

/** On as many machines and in as many zones as there are, and still somewhere where there are fewer. */
export function spreadOf(name: string) {
  return ['kubernetes.io/hostname', 'topology.kubernetes.io/zone'].map((topologyKey) => ({
    ...{ maxSkew: 1, topologyKey, whenUnsatisfiable: 'ScheduleAnyway' },
    labelSelector: { matchLabels: selectorOf(name) },
  }));
}
