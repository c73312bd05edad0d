import type { KeyObject } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { LRUCache } from 'lru-cache';
import type { ServiceName } from '@clew/contracts';
import type { Caller } from '../caller.ts';
import { IDENTITY_TTL_SECONDS } from './token.ts';

/** Returns a caller's token, which only `audience` accepts; `cacheKey` identifies everything else in the token. */
export type IdentitySigner = (audience: ServiceName, cacheKey: string, caller: Caller) => string;

/** Cached tokens are used for half their lifetime, so that they never expire in transit. */
const CACHE_MS = (IDENTITY_TTL_SECONDS * 1000) / 2;
const MAX_CACHED_TOKENS = 10_000;

/** Signs internal identity with this process's key (ES256); cached, because a signature costs 55 us. */
export function createIdentitySigner(issuer: ServiceName, privateKey: KeyObject): IdentitySigner {
  // The time is read at each look-up; the default sets a timer for each millisecond with look-ups.
  const cache = new LRUCache<string, string>({ max: MAX_CACHED_TOKENS, ttl: CACHE_MS, ttlResolution: 0 });
  return (audience, cacheKey, caller) => {
    const key = `${audience} ${cacheKey}`;
    const cached = cache.get(key);
    if (cached !== undefined) return cached;
    const token = jwt.sign({ principal: caller.principal, projectId: caller.projectId }, privateKey, {
      algorithm: 'ES256',
      keyid: issuer,
      issuer,
      audience,
      expiresIn: IDENTITY_TTL_SECONDS,
    });
    cache.set(key, token);
    return token;
  };
}
