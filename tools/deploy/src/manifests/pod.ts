import { addressVariable, serviceDefinition, type ServiceName } from '@clew/contracts/services';
import { PRE_STOP_SECONDS } from '@clew/contracts/shutdown';
import { callsOf } from '../access/calls.ts';
import { usesDatabase } from '../access/databases.ts';
import type { Workload } from './workload.ts';

/** Port on which every container listens. */
export const PORT = 8080;

/** User id that no user of a machine has. */
export const USER = 10_001;

export const KEYS_FOLDER = '/identity';

/** ConfigMap of the settings that all processes share; kustomize appends a hash of them to the name. */
export const SETTINGS_NAME = 'clew-settings';

export const PUBLIC_KEYS_NAME = 'clew-identity-public-keys';

/**
 * Placeholder for the registry of an installation, which its overlay names. The domain cannot exist (RFC 6761), so a
 * cluster cannot run an image of the same name that a stranger has put on a public hub.
 */
const REGISTRY = 'registry.invalid/clew';

export const imageOf = (name: string) => `${REGISTRY}/${name}`;

/** Role of an object, as `app.kubernetes.io/component`. */
export type Part =
  'service' | 'worker' | 'agent' | 'migration' | 'preflight' | 'command-line' | 'settings' | 'monitoring' | 'network';

/** Labels of an object, except those of an installation (instance, version), which kustomizations add. */
export const labelsOf = (name: string, part: Part) => ({
  'app.kubernetes.io/name': name,
  'app.kubernetes.io/component': part,
  'app.kubernetes.io/part-of': 'clew',
});

/** Changes with each release, so it must not be in selectors or volume claims. */
export const VERSION_LABEL = 'app.kubernetes.io/version';

/** Labels that select pods, which can never change. */
export const selectorOf = (name: string) => ({ 'app.kubernetes.io/name': name });

/** Pod settings that the restricted pod security standard requires. */
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

/** Environment variable from a Secret; the Secrets themselves are made during installation. */
export function secretVariable(variable: string, secret: string, key = variable) {
  return { name: variable, valueFrom: { secretKeyRef: { name: secret, key } } };
}

/** Secret with the server addresses of a process, which has its own user at each server. */
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
    // Endpoints learn of the termination a moment later than the process: it continues to serve for this time.
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

/**
 * Probes: liveness uses the health path of the service (specification, Health). It ignores the servers; readiness
 * checks them.
 */
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
    // A process without a database needs neither its address nor the key that encrypts stored data.
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

/** Spreads pods over machines and zones, as far as there are enough of them. */
export function spreadOf(name: string) {
  return ['kubernetes.io/hostname', 'topology.kubernetes.io/zone'].map((topologyKey) => ({
    ...{ maxSkew: 1, topologyKey, whenUnsatisfiable: 'ScheduleAnyway' },
    labelSelector: { matchLabels: selectorOf(name) },
  }));
}
