import {
  KNOWN_PROVIDERS,
  RESERVED_PROVIDER_NAMES,
  type NewProvider,
  type Provider,
  type ProviderChange,
} from '@clew/contracts';
import { AppError, sha256Hex, withoutTrailing } from '@clew/kernel';
import type { SecretBox, SecretEnvelope, SecretPlace } from '@clew/secrets';

/** A provider as it is stored. */
export interface StoredProvider {
  projectId: string;
  name: string;
  baseUrl: string;
  apiKey: SecretEnvelope | null;
  /** Grows with every change. */
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
    revision: 1,
    createdAt: now,
    updatedAt: now,
  };
}

/**
 * The provider after a change. Who may change the address may not thereby read the key: it does not follow to another
 * origin, unless it is given again.
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
  return { ...provider, baseUrl, apiKey, revision: provider.revision + 1, updatedAt: now };
}

/** What callers see of it. */
export function toProvider({ name, baseUrl, apiKey, createdAt, updatedAt }: StoredProvider): Provider {
  return { name, baseUrl, hasApiKey: apiKey !== null, createdAt, updatedAt };
}

/** A strong entity tag; it changes with the key too, which nobody is shown. */
export function providerEtag(provider: StoredProvider): string {
  return `"${sha256Hex(JSON.stringify([provider.revision, toProvider(provider)])).slice(0, 32)}"`;
}

/** The providers that must be there for these models; local ones and services of ours are none. */
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
