import type { KeyObject } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import { AppError, type Clock } from '@clew/kernel';
import type { CacheLookups, Logger } from '@clew/runtime';
import { isLive, unknownKey, type StoredApiKey } from '../api-keys/api-key.ts';
import type { ApiKeyStore } from '../api-keys/api-keys.store.ts';
import { hashKey, isWellFormedKey } from '../api-keys/key-format.ts';

/** Finds the API key of a request; a cached answer is returned without a promise. */
export interface Authenticator {
  authenticate(request: IncomingMessage): StoredApiKey | Promise<StoredApiKey>;
  /** Drops a rotated or revoked key from the cache. */
  forget(keyId: string): void;
  /** Drops all keys, because changes may have been missed. */
  forgetAll(): void;
}

export interface AuthenticatorOptions {
  apiKeys: Pick<ApiKeyStore, 'findByHash' | 'touch'>;
  pepper: KeyObject;
  /** Cache time; 0 turns the cache off. */
  cacheMs: number;
  clock: Clock;
  logger: Logger;
  lookups: CacheLookups;
}

const MAX_CACHED_KEYS = 10_000;
/** Minimum interval between two writes of a key's last use. */
const TOUCH_EVERY_MS = 30_000;
const BEARER = /^Bearer ([^\s]+)$/i;

export function createAuthenticator(options: AuthenticatorOptions): Authenticator {
  const { apiKeys, clock, logger, cacheMs } = options;
  const secretByKeyId = new Map<string, string>();
  const keyBySecret = new LRUCache<string, StoredApiKey>({
    max: MAX_CACHED_KEYS,
    ttl: cacheMs,
    // Resolution 0 reads the clock at each look-up; the default sets a timer for each millisecond that has look-ups.
    ttlResolution: 0,
    perf: clock,
    dispose: (key, secret) => {
      if (secretByKeyId.get(key.id) === secret) secretByKeyId.delete(key.id);
    },
  });
  /** Database reads in progress, so that a burst of requests with one key reads the database once. */
  const loading = new Map<string, Promise<StoredApiKey>>();
  /** Number of changes so far, so that a read that began before a change does not put the old state back. */
  let changes = 0;

  async function load(secret: string): Promise<StoredApiKey> {
    const changesBefore = changes;
    const key = await apiKeys.findByHash(hashKey(options.pepper, secret));
    if (key === undefined || !isLive(key, clock.now())) throw unknownKey();
    if (changes === changesBefore && cacheMs > 0) {
      keyBySecret.set(secret, key);
      secretByKeyId.set(key.id, secret);
    }
    noteUse(key);
    return key;
  }

  function loadOnce(secret: string): Promise<StoredApiKey> {
    const underWay = loading.get(secret);
    if (underWay !== undefined) return underWay;
    const started = load(secret).finally(() => {
      if (loading.get(secret) === started) loading.delete(secret);
    });
    loading.set(secret, started);
    return started;
  }

  function noteUse(key: StoredApiKey): void {
    const now = clock.now();
    if (key.lastUsedAt !== null && now - key.lastUsedAt < TOUCH_EVERY_MS) return;
    apiKeys.touch(key, now).catch((error: unknown) => logger.warn({ err: error }, 'could not note the use of a key'));
  }

  return {
    authenticate(request) {
      const secret = bearerToken(request);
      const cached = keyBySecret.get(secret);
      if (cached === undefined) {
        if (!isWellFormedKey(secret)) throw unknownKey();
        options.lookups.miss();
        return loadOnce(secret);
      }
      options.lookups.hit();
      if (!isLive(cached, clock.now())) throw unknownKey();
      return cached;
    },
    forget(keyId) {
      changes += 1;
      // Requests that arrive after the change must not share a read that began before it.
      loading.clear();
      const secret = secretByKeyId.get(keyId);
      if (secret !== undefined) keyBySecret.delete(secret);
    },
    forgetAll() {
      changes += 1;
      loading.clear();
      keyBySecret.clear();
    },
  };
}

function bearerToken(request: IncomingMessage): string {
  const { authorization } = request.headers;
  if (authorization === undefined) {
    throw new AppError('UNAUTHENTICATED', 'The header "Authorization: Bearer <API key>" is required');
  }
  const token = BEARER.exec(authorization)?.[1];
  if (token === undefined) throw unknownKey();
  return token;
}
