import { LRUCache } from 'lru-cache';
import type { Clock } from '@clew/kernel';
import type { CacheLookups } from '@clew/runtime';

/** Cache of credentials by their secret; a cached one is returned without a promise. */
export interface CredentialCache<Value> {
  get(secret: string): Value | Promise<Value>;
  /** Drops what belongs to the id: a credential, or the person behind it. */
  forget(id: string): void;
  /** Drops all, because changes may have been missed. */
  forgetAll(): void;
}

export interface CredentialCacheOptions<Value> {
  /** Reads a credential from the database; rejects if there is none. */
  load(secret: string): Promise<Value>;
  /** Throws for a text that cannot be a credential; for it the database is not asked. */
  check?(secret: string): void;
  /** Ids whose change ends the caching of a credential. */
  idsOf(value: Value): readonly string[];
  /** Cache time; 0 turns the cache off. */
  cacheMs: number;
  clock: Clock;
  lookups: CacheLookups;
}

const MAX_CACHED = 10_000;

export function createCredentialCache<Value extends object>(
  options: CredentialCacheOptions<Value>,
): CredentialCache<Value> {
  const { clock, cacheMs } = options;
  const secretsById = new Map<string, Set<string>>();
  const bySecret = new LRUCache<string, Value>({
    max: MAX_CACHED,
    ttl: cacheMs,
    // Resolution 0 reads the clock at each look-up; the default sets a timer for each millisecond that has look-ups.
    ttlResolution: 0,
    perf: clock,
    dispose: (value, secret) => {
      for (const id of options.idsOf(value)) {
        const secrets = secretsById.get(id);
        if (secrets?.delete(secret) === true && secrets.size === 0) secretsById.delete(id);
      }
    },
  });
  /** Database reads in progress, so that a burst of requests with one credential reads the database once. */
  const loading = new Map<string, Promise<Value>>();
  /** Number of changes so far, so that a read that began before a change does not put the old state back. */
  let changes = 0;

  async function load(secret: string): Promise<Value> {
    const changesBefore = changes;
    const value = await options.load(secret);
    if (changes === changesBefore && cacheMs > 0) keep(secret, value);
    return value;
  }

  function keep(secret: string, value: Value): void {
    bySecret.set(secret, value);
    for (const id of options.idsOf(value)) {
      const secrets = secretsById.get(id);
      if (secrets === undefined) secretsById.set(id, new Set([secret]));
      else secrets.add(secret);
    }
  }

  function loadOnce(secret: string): Promise<Value> {
    const underWay = loading.get(secret);
    if (underWay !== undefined) return underWay;
    const started = load(secret).finally(() => {
      if (loading.get(secret) === started) loading.delete(secret);
    });
    loading.set(secret, started);
    return started;
  }

  return {
    get(secret) {
      const cached = bySecret.get(secret);
      if (cached !== undefined) {
        options.lookups.hit();
        return cached;
      }
      options.check?.(secret);
      options.lookups.miss();
      return loadOnce(secret);
    },
    forget(id) {
      changes += 1;
      // Requests that arrive after the change must not share a read that began before it.
      loading.clear();
      for (const secret of [...(secretsById.get(id) ?? [])]) bySecret.delete(secret);
    },
    forgetAll() {
      changes += 1;
      loading.clear();
      bySecret.clear();
    },
  };
}
