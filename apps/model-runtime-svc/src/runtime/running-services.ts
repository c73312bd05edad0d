import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
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
} from '../resources/index.ts';

export interface Endpoint {
  /** With the version: `http://127.0.0.1:4711/v1`. */
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
  /** Starts a service again that was stopped because nobody used it. */
  wake(holding: Holding, spec: ServiceSpec): Promise<void>;
}

export interface RunningServices {
  /**
   * Where the model's service answers for the project; undefined where none is ready. One that was stopped because
   * nobody used it is started again, and waited for.
   */
  endpointOf(projectId: string, modelId: string): Promise<Endpoint | undefined>;
  /** The same for one profile. */
  endpointOfProfile(projectId: string, modelId: string, profileId: string): Promise<Endpoint | undefined>;
  /** The models of which the project has a service that is ready, or would be woken. */
  readyModels(projectId: string): Promise<string[]>;
}

interface Found extends Endpoint {
  resourceId: string;
}

/** What is found is believed for so long: a service that was stopped meanwhile refuses the connection. */
const BELIEVED_MS = 1_000;
const MAX_BELIEVED = 10_000;
/** Often enough for the idle time, seldom enough to cost nothing. */
const TOUCH_EVERY_MS = 5_000;
const WAKE_TIMEOUT_MS = 120_000;
const WAKE_POLL_MS = 100;
const MAX_SERVICES = 200;

export function createRunningServices(deps: RunningServicesDependencies): RunningServices {
  const { node, resources, holdings, keys, clock, logger } = deps;
  const believed = new LRUCache<string, Found>({ max: MAX_BELIEVED, ttl: BELIEVED_MS });
  const touchedAtMs = new LRUCache<string, number>({ max: MAX_BELIEVED });

  async function candidates(projectId: string, modelId: string, profileId: string | undefined) {
    const held = await holdings.heldOf(projectId, node, 'service', modelId);
    const wanted = held.filter((holding) => profileId === undefined || holding.profileId === profileId);
    const found = await resources.list(wanted.map(({ resourceId }) => resourceId));
    return found.flatMap((resource) => {
      const holding = wanted.find(({ resourceId }) => resourceId === resource.id);
      return holding === undefined ? [] : [{ holding, resource }];
    });
  }

  async function look(projectId: string, modelId: string, profileId: string | undefined): Promise<Found | undefined> {
    const all = await candidates(projectId, modelId, profileId);
    // The one that was started last, where several profiles of a model run.
    const ready = all.filter(({ resource }) => resource.state === 'ready').sort(byNewest)[0];
    if (ready !== undefined) return endpoint(ready.resource);
    const sleeping = all
      .filter(({ resource }) => resource.desired === 'absent' && resource.stopReason === 'idle')
      .sort(byNewest)[0];
    return sleeping === undefined ? undefined : wake(sleeping.holding, sleeping.resource);
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

  /** Notes that it is in use; nobody waits for that. */
  function touch(resourceId: string): void {
    const nowMs = clock.now();
    if (nowMs - (touchedAtMs.get(resourceId) ?? 0) < TOUCH_EVERY_MS) return;
    touchedAtMs.set(resourceId, nowMs);
    resources.touch(resourceId, nowMs).catch((error: unknown) => {
      touchedAtMs.delete(resourceId);
      logger.warn({ err: error, resourceId }, 'the use of a service could not be noted');
    });
  }

  async function find(projectId: string, modelId: string, profileId?: string): Promise<Endpoint | undefined> {
    const key = JSON.stringify([projectId, modelId, profileId]);
    const found = believed.get(key) ?? (await look(projectId, modelId, profileId));
    if (found === undefined) return undefined;
    if (!believed.has(key)) believed.set(key, found);
    touch(found.resourceId);
    return { baseUrl: found.baseUrl, apiKey: found.apiKey };
  }

  return {
    endpointOf: (projectId, modelId) => find(projectId, modelId),
    endpointOfProfile: (projectId, modelId, profileId) => find(projectId, modelId, profileId),
    async readyModels(projectId) {
      const recent = (await holdings.recent(projectId, node, 'service', MAX_SERVICES)).filter(({ held }) => held);
      const found = await resources.list(recent.map(({ resourceId }) => resourceId));
      const usable = found.filter(({ state, stopReason }) => state === 'ready' || stopReason === 'idle');
      return [...new Set(usable.map(({ spec }) => (spec as ServiceSpec).modelId))].sort();
    },
  };
}

function byNewest(a: { resource: Resource }, b: { resource: Resource }): number {
  return b.resource.generation - a.resource.generation || b.resource.createdAt - a.resource.createdAt;
}
