import type { Workload } from './workload.ts';
import { CONTAINER_SECURITY, imageOf, USER } from './pod.ts';

/** User id of engines; the agent runs as `USER`, and both belong to its group. */
export const ENGINE_USER = 10_002;

export const MODELS_VOLUME = '/models';
/** Folder below the volume root, which is open to the group: it holds only what the agent shares. */
const MODEL_HOME = `${MODELS_VOLUME}/home`;
const RUN_FOLDER = '/run/clew';
export const ENGINE_SOCKET = `${RUN_FOLDER}/engines.sock`;
const KEYS_FOLDER = '/agent-keys';
const AGENT_KEYS = 'agent-keys.json';
const AGENT_KEYS_ITEM = { key: AGENT_KEYS, path: AGENT_KEYS } as const;
export const AGENT_KEYS_FILE = `${KEYS_FOLDER}/${AGENT_KEYS}`;
/** Script of the supervisor of engines. */
const SUPERVISOR = 'app/dist/engines.js';
/** Size of the memory through which the processes of one engine exchange tensors. */
const SHARED_MEMORY = '2Gi';
const ENGINE_SCRATCH = '256Mi';
/** Resources of the engines' container, including the models they load. */
const ENGINE_RESOURCES = { requests: { cpu: '2', memory: '4Gi' }, limits: { cpu: '8', memory: '16Gi' } };

/** Paths at which both containers find the models, and each other's socket. */
export const ENGINE_ENVIRONMENT = { MODEL_HOME, ENGINE_SOCKET } as const;

/** Runtime agent: it controls the engines, and downloads the models they load. */
export const AGENT_WORKLOAD: Partial<Workload> = {
  replicas: 1,
  memory: { request: '256Mi', limit: '1Gi' },
  cpu: { request: '250m', limit: '2' },
  environment: {
    ...ENGINE_ENVIRONMENT,
    AGENT_KEYS_FILE,
    HOME: '/tmp',
    MODEL_LISTEN_HOST: '0.0.0.0',
    // Each pod has its own DNS name below that of the service.
    MODEL_REACH_HOST: '$(MODEL_NODE).model-runtime-agent',
  },
  podFields: { MODEL_NODE: 'metadata.name' },
  mounts: [
    { name: 'run', mountPath: RUN_FOLDER },
    { name: 'agent-keys', mountPath: KEYS_FOLDER, readOnly: true },
  ],
  scratch: '64Mi',
  volume: { path: MODELS_VOLUME, size: '100Gi' },
  reachesOut: true,
  ports: [{ first: 1024, last: 65_535, usedBy: 'model-runtime-svc' }],
};

/** Patch target, and the path of the engines' container in it. */
export const AGENT = { kind: 'StatefulSet', name: 'model-runtime-agent' } as const;
export const ENGINES = '/spec/template/spec/initContainers/1';

/** Part of a pod template that this file changes; `base.ts` creates the template. */
interface PodTemplate {
  readonly metadata: object;
  readonly spec: { readonly securityContext: object; readonly volumes: readonly object[] };
}

/**
 * Adds the engines to the pod of the agent: a container with a different user and without any secret, identity or
 * settings. The agent controls its supervisor over a socket. The container starts before the agent and ends after it,
 * so that calls in flight can complete.
 */
export function withEngines<Template extends PodTemplate>(
  template: Template,
  { name, command, environment }: Workload,
) {
  const { spec } = template;
  return {
    ...template,
    spec: {
      ...spec,
      shareProcessNamespace: false,
      // Otherwise each mount would give the group access again to files that the agent has closed to engines.
      securityContext: { ...spec.securityContext, fsGroupChangePolicy: 'OnRootMismatch' },
      initContainers: [homeContainer(name), enginesContainer(name, command, environment)],
      volumes: [
        ...spec.volumes,
        { name: 'agent-keys', secret: { secretName: 'clew-agent-keys', items: [AGENT_KEYS_ITEM], defaultMode: 0o440 } },
        { name: 'run', emptyDir: { medium: 'Memory', sizeLimit: '1Mi' } },
        { name: 'engine-scratch', emptyDir: { sizeLimit: ENGINE_SCRATCH } },
        { name: 'shared-memory', emptyDir: { medium: 'Memory', sizeLimit: SHARED_MEMORY } },
      ],
    },
  };
}

/** Creates the model folder as the agent's user, before engines could create it. */
function homeContainer(image: string) {
  return {
    name: 'home',
    image: imageOf(image),
    command: ['mkdir', '-p', MODEL_HOME],
    resources: { requests: { cpu: '10m', memory: '16Mi' }, limits: { cpu: '100m', memory: '64Mi' } },
    securityContext: CONTAINER_SECURITY,
    volumeMounts: [{ name: 'data', mountPath: MODELS_VOLUME }],
  };
}

function enginesContainer(image: string, command: readonly string[], { NODE_OPTIONS = '' }: Workload['environment']) {
  const socketIsThere = { exec: { command: ['test', '-S', ENGINE_SOCKET] } };
  return {
    name: 'engines',
    image: imageOf(image),
    restartPolicy: 'Always',
    command: [...command.slice(0, -1), SUPERVISOR],
    env: Object.entries({ ...ENGINE_ENVIRONMENT, NODE_OPTIONS }).map(([name, value]) => ({ name, value })),
    startupProbe: { ...socketIsThere, periodSeconds: 1, failureThreshold: 60 },
    livenessProbe: { ...socketIsThere, periodSeconds: 10, failureThreshold: 3 },
    readinessProbe: { ...socketIsThere, periodSeconds: 5, failureThreshold: 2 },
    resources: ENGINE_RESOURCES,
    securityContext: { ...CONTAINER_SECURITY, runAsUser: ENGINE_USER, runAsGroup: USER },
    volumeMounts: [
      { name: 'engine-scratch', mountPath: '/tmp' },
      { name: 'run', mountPath: RUN_FOLDER },
      { name: 'data', mountPath: MODELS_VOLUME },
      { name: 'shared-memory', mountPath: '/dev/shm' },
    ],
  };
}
