import { setTimeout as delay } from 'node:timers/promises';
import { absent, ApiError, type Api } from './api.ts';
import { missingVariables, missingVolumes } from './needs.ts';
import type { Pod, Values } from './objects.ts';
import { statusOf, type Held } from './pod-status.ts';
import { Processes, type Around, type Doing } from './processes.ts';
import { ProvidedVolumes } from './volumes.ts';

const ROUND_MS = 150;
const NODE = 'node-1';
/** Registry that cannot exist, which an overlay names until somebody edits it. */
const NO_REGISTRY = /^registry\.invalid\//;

/** Simulates the scheduler, one machine with its kubelet, and the volume provisioner, until it is stopped. */
export class PlayedNode {
  readonly processes = new Processes();
  readonly #api: Api;
  readonly #volumes: ProvidedVolumes;
  readonly #ended: Promise<void>;
  #isStopped = false;
  #failure: unknown;
  #lastAddress = 0;
  /** Last reported status of each pod, by uid. */
  readonly #told = new Map<string, string>();

  constructor(api: Api) {
    this.#api = api;
    this.#volumes = new ProvidedVolumes(api);
    this.#ended = this.#run();
  }

  /** Stops the simulation; throws the error of a round if one failed. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#ended;
    if (this.#failure !== undefined) throw new Error('The player of a node has failed', { cause: this.#failure });
  }

  async #run(): Promise<void> {
    try {
      await this.#volumes.prepare();
      while (!this.#isStopped) {
        await this.#round();
        await delay(ROUND_MS);
      }
    } catch (error) {
      this.#failure = error;
    }
  }

  async #round(): Promise<void> {
    const boundClaims = await this.#volumes.provide();
    const pods = await this.#api.list<Pod>('v1', 'Pod');
    const namespaces = new Set(pods.map(({ metadata }) => metadata.namespace ?? ''));
    for (const namespace of namespaces) {
      const own = pods.filter(({ metadata }) => metadata.namespace === namespace);
      const around = await this.#around(namespace, own, boundClaims.get(namespace) ?? new Set());
      for (const pod of own) await this.#play(pod, around);
    }
  }

  async #around(namespace: string, pods: readonly Pod[], boundClaims: ReadonlySet<string>): Promise<Around> {
    const [secrets, configMaps, services, policies] = await Promise.all([
      this.#api.list<Values>('v1', 'Secret', namespace),
      this.#api.list<Values>('v1', 'ConfigMap', namespace),
      this.#api.list('v1', 'Service', namespace),
      this.#api.list('networking.k8s.io/v1', 'NetworkPolicy', namespace),
    ]);
    return { pods, values: [...secrets, ...configMaps], services, policies, boundClaims };
  }

  async #play(pod: Pod, around: Around): Promise<void> {
    if (pod.metadata.deletionTimestamp !== undefined) {
      await this.#api.delete(pod, { gracePeriodSeconds: 0 });
      return;
    }
    const phase = pod.status?.phase ?? 'Pending';
    if (phase === 'Succeeded' || phase === 'Failed') return;
    if (pod.spec.nodeName === undefined) await this.#bind(pod);
    else await this.#tell(pod, await this.#stateOf(pod, around));
  }

  async #bind(pod: Pod): Promise<void> {
    const { name, namespace } = pod.metadata;
    const target = { apiVersion: 'v1', kind: 'Node', name: NODE };
    const body = { apiVersion: 'v1', kind: 'Binding', metadata: { name, namespace }, target };
    // The pod may have been deleted meanwhile.
    await this.#api.send('POST', `${await this.#api.pathOf(pod)}/binding`, { body }).catch((error: unknown) => {
      if (error instanceof ApiError && error.status === 409) return;
      absent(error);
    });
  }

  async #stateOf(pod: Pod, around: Around): Promise<Doing | Held> {
    const held = heldBy(pod, around);
    if (held !== undefined) return held;
    // A process runs for a moment before it does anything.
    if (pod.status?.phase !== 'Running') return { is: 'starting', reason: 'has just been started' };
    return await this.processes.doingOf(pod, around);
  }

  async #tell(pod: Pod, state: Doing | Held): Promise<void> {
    const uid = pod.metadata.uid ?? '';
    const status = statusOf(pod, state);
    const text = JSON.stringify(status);
    if (this.#told.get(uid) === text) return;
    const podIP = pod.status?.podIP ?? this.#newAddress();
    await this.#api.setStatus(pod, { ...status, podIP, podIPs: [{ ip: podIP }] });
    this.#told.set(uid, text);
  }

  #newAddress(): string {
    this.#lastAddress += 1;
    return `10.1.${Math.floor(this.#lastAddress / 250)}.${(this.#lastAddress % 250) + 1}`;
  }
}

/** Reason why the containers of a pod cannot be created, in the order in which a kubelet checks. */
function heldBy(pod: Pod, around: Around): Held | undefined {
  const volumes = missingVolumes(pod, around);
  if (volumes.length > 0) return { is: 'held', by: 'ContainerCreating', reason: `FailedMount: ${volumes.join(', ')}` };
  const containers = [...(pod.spec.initContainers ?? []), ...pod.spec.containers];
  const strange = containers.find(({ image }) => NO_REGISTRY.test(image));
  if (strange !== undefined) return { is: 'held', by: 'ErrImagePull', reason: `There is no ${strange.image}` };
  const variables = containers.flatMap((container) => missingVariables(container, around));
  if (variables.length === 0) return undefined;
  return { is: 'held', by: 'CreateContainerConfigError', reason: variables.join(', ') };
}
