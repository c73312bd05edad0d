import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { InferenceClient } from '@clew/inference';
import type { Logger } from '@clew/runtime';
import type { ProjectModels } from '../models/index.ts';

export interface EmbedQueryDependencies {
  models: Pick<ProjectModels, 'embeddingModel'>;
  /** Inference client with the deadline of a search: see `callPatience`. */
  inference: Pick<InferenceClient, 'embed'>;
  /** Longest wait in milliseconds of a search for its embedding; 1,000 by default. */
  patienceMs?: number | undefined;
  logger: Logger;
}

/** Embedding of a search, with the model that gave it. */
export interface QueryVector {
  model: string;
  vector: Float32Array;
}

/**
 * Embeds the words of a search with the project's model; `undefined` if no model embeds, or none answers in time. The
 * same words are embedded once for some minutes. Never throws.
 */
export type EmbedQuery = (projectId: string, q: string) => Promise<QueryVector | undefined>;

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

export function createEmbedQuery(dependencies: EmbedQueryDependencies): EmbedQuery {
  const { models, inference, patienceMs = PATIENCE_MS, logger } = dependencies;
  const kept = new LRUCache<string, QueryVector>({ max: MAX_KEPT, ttl: KEPT_MS });
  const modelsKept = new LRUCache<string, { model: string | null }>({ max: MAX_MODELS_KEPT });
  const underWay = new Map<string, Promise<QueryVector | undefined>>();

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

  async function embed(key: string, projectId: string, q: string): Promise<QueryVector | undefined> {
    const model = await modelOf(projectId);
    if (model === null) return undefined;
    try {
      const [values = []] = await inference.embed({ projectId, model, texts: [q] });
      const found = { model, vector: Float32Array.from(values) };
      kept.set(key, found);
      return found;
    } catch (error) {
      logger.warn({ err: error, projectId, model }, 'a search could not be embedded: it finds by words alone');
      keepModel(projectId, null);
      return undefined;
    }
  }

  return async (projectId, q) => {
    const key = JSON.stringify([projectId, q]);
    const known = kept.get(key);
    if (known !== undefined) return known;
    const embedding = underWay.get(key) ?? embed(key, projectId, q).finally(() => underWay.delete(key));
    underWay.set(key, embedding);
    const answered = new AbortController();
    const late = sleep<undefined>(patienceMs, undefined, { signal: answered.signal }).catch(() => undefined);
    const found = await Promise.race([embedding, late]);
    answered.abort();
    return found;
  };
}
