import {
  KNOWN_PROVIDERS,
  type ModelPrice,
  RESERVED_PROVIDER_NAMES,
  type NewProvider,
  type Provider,
  type ProviderChange,
} from '@clew/contracts';
import { AppError, sha256Hex, withoutTrailing } from '@clew/kernel';
import type { SecretBox, SecretEnvelope, SecretPlace } from '@clew/secrets';

/** Provider in its stored form. */
export interface StoredProvider {
  projectId: string;
  name: string;
  baseUrl: string;
  apiKey: SecretEnvelope | null;
  /** Absent in providers that are older than prices. */
  prices?: ModelPrice[];
  /** Number that grows with every change. */
  revision: number;
  createdAt: number;
  updatedAt: number;
}

export const PROVIDERS_COLLECTION = 'providers';

export function providerKeyPlace(projectId: string, name: string): SecretPlace {
  return { tenant: projectId, collection: PROVIDERS_COLLECTION, id: name, field: 'apiKey' };
}

export function newProvider(projectId: string, input: NewProvider, secrets: SecretBox, now: number): StoredProvider {
  const { name } = input;
  const baseUrl = input.baseUrl ?? KNOWN_PROVIDERS[name]?.baseUrl;
  if (baseUrl === undefined) throw new AppError('VALIDATION_FAILED', 'body.baseUrl: is required');
  return {
    projectId,
    name,
    baseUrl: withoutTrailingSlash(baseUrl),
    apiKey: sealKey(projectId, name, input.apiKey ?? null, secrets),
    prices: input.prices ?? [],
    revision: 1,
    createdAt: now,
    updatedAt: now,
  };
}

/**
 * Applies a change to a provider. A person who may change the address must not be able to read the key that way: it is
 * not kept for another origin, unless it is given again.
 */
export function changedProvider(
  provider: StoredProvider,
  change: ProviderChange,
  secrets: SecretBox,
  now: number,
): StoredProvider {
  const { projectId, name } = provider;
  const baseUrl = withoutTrailingSlash(change.baseUrl ?? provider.baseUrl);
  const moves = new URL(baseUrl).origin !== new URL(provider.baseUrl).origin;
  if (moves && provider.apiKey !== null && change.apiKey === undefined) {
    const message = 'is needed again for another host; null for none';
    throw new AppError('VALIDATION_FAILED', `body.apiKey: ${message}`, { details: [{ path: 'body.apiKey', message }] });
  }
  const apiKey = change.apiKey === undefined ? provider.apiKey : sealKey(projectId, name, change.apiKey, secrets);
  const prices = change.prices ?? provider.prices ?? [];
  return { ...provider, baseUrl, apiKey, prices, revision: provider.revision + 1, updatedAt: now };
}

/** Provider as callers see it. */
export function toProvider({ name, baseUrl, apiKey, prices = [], createdAt, updatedAt }: StoredProvider): Provider {
  return { name, baseUrl, hasApiKey: apiKey !== null, prices, createdAt, updatedAt };
}

/** Strong entity tag; it also changes with the key, which is never shown. */
export function providerEtag(provider: StoredProvider): string {
  return `"${sha256Hex(JSON.stringify([provider.revision, toProvider(provider)])).slice(0, 32)}"`;
}

/** Providers that must exist for these models; local models and our own services need none. */
export function providersOf(models: readonly string[]): string[] {
  const named = new Set(models.map((model) => model.slice(0, model.indexOf('/'))));
  return [...named].filter((name) => !(RESERVED_PROVIDER_NAMES as readonly string[]).includes(name));
}

function sealKey(projectId: string, name: string, apiKey: string | null, secrets: SecretBox): SecretEnvelope | null {
  return apiKey === null ? null : secrets.seal(apiKey, providerKeyPlace(projectId, name));
}

function withoutTrailingSlash(url: string): string {
  return withoutTrailing(url, /\//);
}
