import type { ModelPrice } from '@clew/contracts';
import { LRUCache } from 'lru-cache';
import { AppError } from '@clew/kernel';
import type { CacheLookups } from '@clew/runtime';
import { SecretUnreadableError, type SecretBox, type SecretEnvelope, type SecretPlace } from '@clew/secrets';
import { providerKeyPlace, type StoredProvider } from './provider.ts';
import type { ProviderStore } from './providers.store.ts';

/** Address and key of a provider. */
export interface ProviderEndpoint {
  name: string;
  baseUrl: string;
  apiKey: string | undefined;
  prices: readonly ModelPrice[];
  revision: number;
}

/** Finds providers for calls, from memory as long as the cached entry is recent. */
export interface ProviderDirectory {
  find(projectId: string, name: string): Promise<ProviderEndpoint | undefined>;
  /** Drops a provider that was changed here, so that the next call reads it again. */
  forget(projectId: string, name: string): void;
}

interface Known {
  endpoint: ProviderEndpoint | undefined;
  readAtMs: number;
}

const MAX_KNOWN = 10_000;
/** Age beyond which an entry is still used, but read again in the background. */
const FRESH_MS = 1_000;
/** Age beyond which an entry is not used: a change by another replica takes effect after this time at the latest. */
const MAX_AGE_MS = 5_000;

export function createProviderDirectory(
  store: Pick<ProviderStore, 'find'>,
  secrets: Pick<SecretBox, 'open'>,
  lookups: CacheLookups,
): ProviderDirectory {
  const known = new LRUCache<string, Known>({ max: MAX_KNOWN });
  const reading = new Map<string, Promise<Known>>();

  function read(projectId: string, name: string): Promise<Known> {
    const key = `${projectId}:${name}`;
    const underWay = reading.get(key);
    if (underWay !== undefined) return underWay;
    const started = load(projectId, name).finally(() => {
      if (reading.get(key) === started) reading.delete(key);
    });
    reading.set(key, started);
    return started;

    async function load(...place: Parameters<typeof store.find>): Promise<Known> {
      const readAtMs = performance.now();
      const provider = await store.find(...place);
      const endpoint = provider === undefined ? undefined : endpointOf(provider, secrets);
      const found = { endpoint, readAtMs };
      // A read overtaken by a change must not bring the old state back.
      if (reading.get(key) === started) known.set(key, found);
      return found;
    }
  }

  return {
    async find(projectId, name) {
      const found = known.get(`${projectId}:${name}`);
      const ageMs = found === undefined ? Infinity : performance.now() - found.readAtMs;
      if (found === undefined || ageMs > MAX_AGE_MS) {
        lookups.miss();
        return (await read(projectId, name)).endpoint;
      }
      lookups.hit();
      // If this read fails, the next call after the maximum age reports the failure.
      if (ageMs > FRESH_MS) read(projectId, name).catch(() => undefined);
      return found.endpoint;
    },
    forget(projectId, name) {
      reading.delete(`${projectId}:${name}`);
      known.delete(`${projectId}:${name}`);
    },
  };
}

function endpointOf(provider: StoredProvider, secrets: Pick<SecretBox, 'open'>): ProviderEndpoint {
  const { projectId, name, baseUrl, apiKey, prices = [], revision } = provider;
  return {
    name,
    baseUrl,
    prices,
    revision,
    apiKey: apiKey === null ? undefined : openKey(apiKey, providerKeyPlace(projectId, name), secrets),
  };
}

function openKey(envelope: SecretEnvelope, place: SecretPlace, secrets: Pick<SecretBox, 'open'>): string {
  try {
    return secrets.open(envelope, place);
  } catch (error) {
    if (!(error instanceof SecretUnreadableError)) throw error;
    throw new AppError('PROVIDER_UNAVAILABLE', 'The stored key of the provider cannot be read; give it again', {
      cause: error,
    });
  }
}

/** Provider whose list of models has no OpenAI-compatible route, and needs the key in a header of its own. */
const ANTHROPIC_ORIGIN = 'https://api.anthropic.com/';
const ANTHROPIC_VERSION = '2023-06-01';

/** Headers that authenticate the project to a provider. */
export function credentialsOf({
  baseUrl,
  apiKey,
}: Pick<ProviderEndpoint, 'baseUrl' | 'apiKey'>): Record<string, string> {
  if (apiKey === undefined) return {};
  const bearer = { authorization: `Bearer ${apiKey}` };
  if (!baseUrl.startsWith(ANTHROPIC_ORIGIN)) return bearer;
  return { ...bearer, 'x-api-key': apiKey, 'anthropic-version': ANTHROPIC_VERSION };
}
