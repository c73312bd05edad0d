import { z } from 'zod';
import { LRUCache } from 'lru-cache';
import type { CacheLookups } from '@clew/runtime';
import { refusalIn, type Outbound } from '@clew/outbound';
import { answerJson } from './provider-answer.ts';
import { credentialsOf, type ProviderDirectory, type ProviderEndpoint } from './provider-directory.ts';

export interface ListedModel {
  id: string;
  /** Unix epoch seconds; 0 if the provider does not say. */
  created: number;
  contextLength: number | null;
}

/** Provider's answer to a request for its models. */
export interface ModelListing {
  models: readonly ListedModel[];
  /** Reason why there are no models, fit for the caller; null if there is none. */
  reason: string | null;
}

export interface ProviderModels {
  /** Asks the provider. */
  ask(projectId: string, name: string): Promise<ModelListing>;
  /** Returns the list from memory, at most a minute old; failures are kept for a few seconds. */
  recent(projectId: string, name: string): Promise<ModelListing>;
}

const TIMEOUT_MS = 10_000;
const MAX_MODELS = 5_000;
const KEPT_MS = 60_000;
const FAILURE_KEPT_MS = 5_000;
const MAX_KEPT = 1_000;

const ModelListAnswer = z.looseObject({
  data: z.array(
    z.looseObject({
      id: z.string().min(1).max(200),
      created: z.number().optional().catch(undefined),
      context_length: z.int().min(1).optional().catch(undefined),
      max_model_len: z.int().min(1).optional().catch(undefined),
    }),
  ),
});

export function createProviderModels(
  outbound: Outbound,
  directory: ProviderDirectory,
  lookups: CacheLookups,
): ProviderModels {
  const kept = new LRUCache<string, Promise<ModelListing>>({ max: MAX_KEPT });
  const ask: ProviderModels['ask'] = async (projectId, name) => {
    const endpoint = await directory.find(projectId, name);
    return endpoint === undefined
      ? failed('The project has no provider of this name')
      : askEndpoint(outbound, endpoint);
  };
  return {
    ask,
    async recent(projectId, name) {
      const endpoint = await directory.find(projectId, name);
      if (endpoint === undefined) return failed('The project has no provider of this name');
      const key = `${projectId}:${name}:${endpoint.revision}`;
      const known = kept.get(key);
      if (known !== undefined) {
        lookups.hit();
        return known;
      }
      lookups.miss();
      const asked = askEndpoint(outbound, endpoint);
      kept.set(key, asked, { ttl: KEPT_MS });
      const listing = await asked;
      if (listing.reason !== null) kept.set(key, asked, { ttl: FAILURE_KEPT_MS });
      return listing;
    },
  };
}

async function askEndpoint(outbound: Outbound, endpoint: ProviderEndpoint): Promise<ModelListing> {
  try {
    const response = await outbound.fetch(`${endpoint.baseUrl}/models`, {
      headers: { accept: 'application/json', ...credentialsOf(endpoint) },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!response.ok) {
      await response.body?.cancel();
      return failed(reasonOfStatus(response.status));
    }
    const parsed = ModelListAnswer.safeParse(await answerJson(response.body));
    if (!parsed.success) return failed('The answer is not a list of models: is this the base URL of its API?');
    const models = parsed.data.data.slice(0, MAX_MODELS).map((model) => ({
      id: model.id,
      created: model.created ?? 0,
      contextLength: model.context_length ?? model.max_model_len ?? null,
    }));
    return { models, reason: null };
  } catch (error) {
    return failed(reasonOfFailure(error));
  }
}

function failed(reason: string): ModelListing {
  return { models: [], reason };
}

function reasonOfStatus(status: number): string {
  if (status === 401 || status === 403) return `The provider refuses the API key (${status})`;
  if (status === 404) return 'There is no list of models at this address (404): is this the base URL of its API?';
  if (status >= 300 && status < 400) {
    return `The provider redirects to another address (${status}), which is not followed: is this the base URL of its API?`;
  }
  return `The provider answered ${status}`;
}

function reasonOfFailure(error: unknown): string {
  const refusal = refusalIn(error);
  if (refusal !== undefined) return refusal.message;
  if (error instanceof Error && error.name === 'TimeoutError') return 'The provider did not answer in time';
  if (error instanceof SyntaxError || error instanceof RangeError) return 'The answer is not a list of models';
  return 'The provider cannot be reached';
}
