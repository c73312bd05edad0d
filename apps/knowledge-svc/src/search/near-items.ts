import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { ItemStatus } from '@clew/contracts';
import type { InferenceClient } from '@clew/inference';
import type { Database } from '@clew/persistence';
import type { Logger } from '@clew/runtime';
import type { ProjectModels } from '../models/index.ts';
import { createFindNear } from './near-vectors.ts';

export interface NearItemsDependencies {
  database: Database;
  models: Pick<ProjectModels, 'embeddingModel'>;
  /** Inference client with the deadline of a search: see `callPatience`. */
  inference: Pick<InferenceClient, 'embed'>;
  /** Longest wait in milliseconds of a search for anything but words; 1,000 by default. */
  patienceMs?: number | undefined;
  logger: Logger;
}

export interface Search {
  q: string;
  goalId?: string | undefined;
  status?: ItemStatus | undefined;
}

/**
 * Finds the ids of items with a similar meaning to a search; none if no model embeds, or none answers in time. A
 * repeated search gets the same ids for some minutes, so that its pages belong to one list. Never throws.
 */
export type NearItems = (projectId: string, search: Search) => Promise<readonly string[]>;

const PATIENCE_MS = 1_000;
/**
 * Deadline of the call that embeds a search. It is shorter than the search's own, so that a slow model is recorded as
 * such before the search goes on without it.
 */
export function callPatience(patienceMs = PATIENCE_MS) {
  return { deadlineMs: 0.8 * patienceMs, maxAttempts: 1 } as const;
}
const KEPT_MS = 5 * 60_000;
const MAX_KEPT = 2_000;
const MODEL_KEPT_MS = 30_000;
/** Time during which searches do not try again, after no model was found or the model failed. */
const NONE_KEPT_MS = 10_000;
const MAX_MODELS_KEPT = 10_000;

export function createNearItems(dependencies: NearItemsDependencies): NearItems {
  const { database, models, inference, patienceMs = PATIENCE_MS, logger } = dependencies;
  const findNear = createFindNear(database);
  const kept = new LRUCache<string, readonly string[]>({ max: MAX_KEPT, ttl: KEPT_MS });
  const modelsKept = new LRUCache<string, { model: string | null }>({ max: MAX_MODELS_KEPT });
  const underWay = new Map<string, Promise<readonly string[]>>();

  function keepModel(projectId: string, model: string | null): void {
    modelsKept.set(projectId, { model }, { ttl: model === null ? NONE_KEPT_MS : MODEL_KEPT_MS });
  }

  async function modelOf(projectId: string): Promise<string | null> {
    const known = modelsKept.get(projectId);
    if (known !== undefined) return known.model;
    const model = await models.embeddingModel(projectId, patienceMs / 2);
    keepModel(projectId, model);
    return model;
  }

  async function look(key: string, projectId: string, { q, goalId, status }: Search): Promise<readonly string[]> {
    const model = await modelOf(projectId);
    if (model === null) return [];
    try {
      const [vector = []] = await inference.embed({ projectId, model, texts: [q] });
      const found = await findNear({ projectId, model, vector: Float32Array.from(vector), goalId, status });
      kept.set(key, found);
      return found;
    } catch (error) {
      logger.warn({ err: error, projectId, model }, 'a search could not be embedded: it finds by words alone');
      keepModel(projectId, null);
      return [];
    }
  }

  return async (projectId, search) => {
    const key = JSON.stringify([projectId, search.q, search.goalId, search.status]);
    const known = kept.get(key);
    if (known !== undefined) return known;
    const looking = underWay.get(key) ?? look(key, projectId, search).finally(() => underWay.delete(key));
    underWay.set(key, looking);
    const answered = new AbortController();
    const late = sleep<readonly string[]>(patienceMs, [], { signal: answered.signal }).catch(() => []);
    const found = await Promise.race([looking, late]);
    answered.abort();
    return found;
  };
}
