import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { ModelCategory } from '@clew/contracts';
import type { Clock } from '@clew/kernel';
import type { Logger } from '@clew/runtime';
import type {
  EngineKeys,
  Holding,
  HoldingStore,
  Resource,
  ResourceStore,
  ServiceOutcome,
  ServiceSpec,
} from '@clew/model-runtime';
import { createFindServices } from './find-services.ts';

export interface Endpoint {
  /** Base URL with the API version, for example `http://127.0.0.1:4711/v1`. */
  baseUrl: string;
  apiKey: string;
}

export interface RunningServicesDependencies {
  node: string;
  resources: ResourceStore;
  holdings: HoldingStore;
  keys: EngineKeys;
  clock: Clock;
  logger: Logger;
  /** Starts again a service that was stopped because nobody used it. */
  wake(holding: Holding, spec: ServiceSpec): Promise<void>;
}

export interface RunningServices {
  /**
   * Returns the endpoint of the model's service for the project; undefined if none is ready. A service that was stopped
   * because nobody used it is started again first.
   */
  endpointOf(projectId: string, modelId: string): Promise<Endpoint | undefined>;
  /** Looks up the model's service without waking it or counting as use. */
  look(projectId: string, modelId: string): Promise<LookedService | undefined>;
  /** Does the same as `endpointOf` for one profile. */
  endpointOfProfile(projectId: string, modelId: string, profileId: string): Promise<Endpoint | undefined>;
  /**
   * Returns the models, of one category or of all, for which the project has a service that is ready or would be woken.
   */
  readyModels(projectId: string, category?: ModelCategory): Promise<string[]>;
}

/** Service of a model that answers, or that a call would wake. */
export interface LookedService {
  /** Identity of model and engine; if it changes, earlier observations no longer apply. */
  identity: string;
  category: ModelCategory;
  /** Maximum number of tokens of a call and its answer together. */
  contextLength: number;
  /** Undefined while the service sleeps. */
  endpoint: Endpoint | undefined;
  /** Runs calls that probe the model's capabilities; they do not count as use. */
  whileProbed<T>(probe: () => Promise<T>): Promise<T>;
}

interface Found extends Endpoint {
  resourceId: string;
}

/** Time for which an endpoint is cached; a service stopped meanwhile refuses the connection. */
const BELIEVED_MS = 1_000;
const MAX_BELIEVED = 10_000;
/** Interval between two writes of a service's last use: short enough for the idle time, long enough to cost nothing. */
const TOUCH_EVERY_MS = 5_000;
const WAKE_TIMEOUT_MS = 120_000;
const WAKE_POLL_MS = 100;
const MAX_SERVICES = 200;
/** Time after which a probe that has not ended was left by a process that is gone. */
const MAX_PROBE_MS = 180_000;

export function createRunningServices(deps: RunningServicesDependencies): RunningServices {
  const { node, resources, holdings, keys, clock, logger } = deps;
  const find = createFindServices(deps);
  const believed = new LRUCache<string, Found>({ max: MAX_BELIEVED, ttl: BELIEVED_MS });
  const touchedAtMs = new LRUCache<string, number>({ max: MAX_BELIEVED });

  async function awake(projectId: string, modelId: string, profileId: string | undefined): Promise<Found | undefined> {
    const { ready, asleep } = await find(projectId, modelId, profileId);
    if (ready !== undefined) return endpoint(ready.resource);
    return asleep === undefined ? undefined : wake(asleep.holding, asleep.resource);
  }

  async function wake(holding: Holding, { id, spec }: Resource): Promise<Found | undefined> {
    await deps.wake(holding, spec as ServiceSpec);
    const deadlineMs = Date.now() + WAKE_TIMEOUT_MS;
    while (Date.now() < deadlineMs) {
      const resource = await resources.get(id);
      if (resource?.state === 'ready') return endpoint(resource);
      if (resource === undefined || resource.state === 'failed' || resource.desired === 'absent') return undefined;
      await sleep(WAKE_POLL_MS);
    }
    return undefined;
  }

  function endpoint({ id, outcome }: Resource): Found {
    const { host, port, nonce } = outcome as ServiceOutcome;
    return { resourceId: id, baseUrl: `http://${host}:${port}/v1`, apiKey: keys(nonce) };
  }

  /** Records the use of a service; nobody waits for the write. */
  function touch(resourceId: string): void {
    const nowMs = clock.now();
    if (nowMs - (touchedAtMs.get(resourceId) ?? 0) < TOUCH_EVERY_MS) return;
    touchedAtMs.set(resourceId, nowMs);
    resources.touch(resourceId, nowMs).catch((error: unknown) => {
      touchedAtMs.delete(resourceId);
      logger.warn({ err: error, resourceId }, 'the use of a service could not be noted');
    });
  }

  async function use(projectId: string, modelId: string, profileId?: string): Promise<Endpoint | undefined> {
    const key = JSON.stringify([projectId, modelId, profileId]);
    const found = believed.get(key) ?? (await awake(projectId, modelId, profileId));
    if (found === undefined) return undefined;
    if (!believed.has(key)) believed.set(key, found);
    touch(found.resourceId);
    return { baseUrl: found.baseUrl, apiKey: found.apiKey };
  }

  /** Records the time of a probe for the agent, so that its work does not count as use. */
  async function whileProbed<T>(resourceId: string, probe: () => Promise<T>): Promise<T> {
    const fromMs = clock.now();
    const time = { fromMs, untilMs: fromMs + MAX_PROBE_MS };
    await resources.beginProbe(resourceId, time);
    try {
      return await probe();
    } finally {
      await resources.endProbe(resourceId, time, clock.now());
    }
  }

  return {
    endpointOf: (projectId, modelId) => use(projectId, modelId),
    endpointOfProfile: (projectId, modelId, profileId) => use(projectId, modelId, profileId),
    async look(projectId, modelId) {
      const { ready, asleep } = await find(projectId, modelId);
      const resource = (ready ?? asleep)?.resource;
      if (resource === undefined) return undefined;
      const { category, engineGeneration, contextLength } = resource.spec as ServiceSpec;
      return {
        identity: JSON.stringify([resource.id, engineGeneration, contextLength]),
        category,
        contextLength,
        endpoint: ready === undefined ? undefined : endpoint(ready.resource),
        whileProbed: (probe) => whileProbed(resource.id, probe),
      };
    },
    async readyModels(projectId, category) {
      const recent = (await holdings.recent(projectId, node, 'service', MAX_SERVICES)).filter(({ held }) => held);
      const found = await resources.list(recent.map(({ resourceId }) => resourceId));
      const usable = found.filter(({ state, stopReason }) => state === 'ready' || stopReason === 'idle');
      const specs = usable.map(({ spec }) => spec as ServiceSpec);
      const wanted = specs.filter((spec) => category === undefined || spec.category === category);
      return [...new Set(wanted.map(({ modelId }) => modelId))].sort();
    },
  };
}
