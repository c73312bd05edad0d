import type { Workload } from './workload.ts';
import { CONTAINER_SECURITY, imageOf, USER } from './pod.ts';

/** Whom engines run as; the agent is `USER`, and both are of its group. */
export const ENGINE_USER = 10_002;

export const MODELS_VOLUME = '/models';
/** Below the volume, whose own folder is open to the group: here only what the agent shares is. */
const MODEL_HOME = `${MODELS_VOLUME}/home`;
const RUN_FOLDER = '/run/clew';
export const ENGINE_SOCKET = `${RUN_FOLDER}/engines.sock`;
const KEYS_FOLDER = '/agent-keys';
const AGENT_KEYS = 'agent-keys.json';
const AGENT_KEYS_ITEM = { key: AGENT_KEYS, path: AGENT_KEYS } as const;
export const AGENT_KEYS_FILE = `${KEYS_FOLDER}/${AGENT_KEYS}`;
/** The script of the supervisor of engines. */
const SUPERVISOR = 'app/dist/engines.js';
/** Processes of an engine pass tensors to one another here. */
const SHARED_MEMORY = '2Gi';
const ENGINE_SCRATCH = '256Mi';
/** Engines and the models that they hold run in a container of their own. */
const ENGINE_RESOURCES = { requests: { cpu: '2', memory: '4Gi' }, limits: { cpu: '8', memory: '16Gi' } };

/** Where both containers find the models and each other. */
export const ENGINE_ENVIRONMENT = { MODEL_HOME, ENGINE_SOCKET } as const;

/** The runtime agent: it commands engines, and fetches what they load. */
export const AGENT_WORKLOAD: Partial<Workload> = {
  replicas: 1,
  memory: { request: '256Mi', limit: '1Gi' },
  cpu: { request: '250m', limit: '2' },
  environment: {
    ...ENGINE_ENVIRONMENT,
    AGENT_KEYS_FILE,
    HOME: '/tmp',
    MODEL_LISTEN_HOST: '0.0.0.0',
    // Each pod has a name of its own below that of the service.
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

/** The target of patches, and the path in it of the container that runs engines. */
export const AGENT = { kind: 'StatefulSet', name: 'model-runtime-agent' } as const;
export const ENGINES = '/spec/template/spec/initContainers/1';

/** What a pod's template consists of, as `base.ts` makes it. */
interface PodTemplate {
  readonly metadata: object;
  readonly spec: { readonly securityContext: object; readonly volumes: readonly object[] };
}

/**
 * Adds what runs engines to the pod of the agent: a container of another user, with no secret, no identity and no
 * settings, whose supervisor the agent commands over a socket. It starts before the agent and ends after it, so that
 * calls in flight end in order.
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
      // What the agent has closed to engines would be opened to the group again at each mount.
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

/** Makes the folder of the models, as the agent, before engines can. */
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
