import type { KeyObject } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import { AppError, type Clock } from '@clew/kernel';
import type { Logger } from '@clew/runtime';
import { isLive, type StoredApiKey } from '../api-keys/api-key.ts';
import type { ApiKeyStore } from '../api-keys/api-keys.store.ts';
import { hashKey, isWellFormedKey } from '../api-keys/key-format.ts';

/** Finds the API key of a request; an answer from the cache comes without a promise. */
export interface Authenticator {
  authenticate(request: IncomingMessage): StoredApiKey | Promise<StoredApiKey>;
  /** Drops a key from the cache: it was rotated or revoked. */
  forget(keyId: string): void;
  /** Drops all of them: changes may have been missed. */
  forgetAll(): void;
}

export interface AuthenticatorOptions {
  apiKeys: ApiKeyStore;
  pepper: KeyObject;
  cacheMs: number;
  clock: Clock;
  logger: Logger;
}

const MAX_CACHED_KEYS = 10_000;
const BEARER = /^Bearer ([^\s]+)$/i;

export function createAuthenticator(options: AuthenticatorOptions): Authenticator {
  const { apiKeys, clock, logger } = options;
  const keyBySecret = new LRUCache<string, StoredApiKey>({
    max: MAX_CACHED_KEYS,
    ...(options.cacheMs === 0 ? {} : { ttl: options.cacheMs }),
  });
  const secretsByKeyId = new Map<string, Set<string>>();
  /** Counts changes, so that a read which began before a change does not put the old state back. */
  let changes = 0;

  async function load(secret: string): Promise<StoredApiKey> {
    if (!isWellFormedKey(secret)) throw unauthenticated();
    const changesBefore = changes;
    const key = await apiKeys.findByHash(hashKey(options.pepper, secret));
    if (key === undefined || !isLive(key, clock.now())) throw unauthenticated();
    if (changes === changesBefore && options.cacheMs > 0) remember(secret, key);
    // At most once per cache time, which is what keeps "last used" cheap.
    apiKeys.touch(key, clock.now()).catch((error: unknown) => logger.warn({ err: error }, 'could not note a key use'));
    return key;
  }

  function remember(secret: string, key: StoredApiKey): void {
    keyBySecret.set(secret, key);
    const secrets = secretsByKeyId.get(key.id) ?? new Set<string>();
    secretsByKeyId.set(key.id, secrets.add(secret));
    if (secretsByKeyId.size > 2 * MAX_CACHED_KEYS) pruneIndex();
  }

  function pruneIndex(): void {
    for (const [keyId, secrets] of secretsByKeyId) {
      if (![...secrets].some((secret) => keyBySecret.has(secret))) secretsByKeyId.delete(keyId);
    }
  }

  return {
    authenticate(request) {
      const secret = bearerToken(request);
      const cached = keyBySecret.get(secret);
      if (cached === undefined) return load(secret);
      if (!isLive(cached, clock.now())) throw unauthenticated();
      return cached;
    },
    forget(keyId) {
      changes += 1;
      for (const secret of secretsByKeyId.get(keyId) ?? []) keyBySecret.delete(secret);
      secretsByKeyId.delete(keyId);
    },
    forgetAll() {
      changes += 1;
      keyBySecret.clear();
      secretsByKeyId.clear();
    },
  };
}

function bearerToken(request: IncomingMessage): string {
  const { authorization } = request.headers;
  if (authorization === undefined) {
    throw new AppError('UNAUTHENTICATED', 'The header "Authorization: Bearer <API key>" is required');
  }
  const token = BEARER.exec(authorization)?.[1];
  if (token === undefined) throw unauthenticated();
  return token;
}

function unauthenticated(): AppError {
  return new AppError('UNAUTHENTICATED', 'The API key is unknown, expired or revoked');
}
