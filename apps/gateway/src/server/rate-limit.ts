import type { ServerResponse } from 'node:http';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { comeBackLater } from '@clew/kernel';

export interface RateLimitOptions {
  requestsPerSecond: number;
  windowSeconds: number;
}

/** Counts a request of a key and writes the RateLimit headers; rejects with RATE_LIMITED beyond the limit. */
export type RateLimit = (keyId: string, response: ServerResponse) => Promise<void>;

/** Limit per key and replica, over a fixed window that allows bursts within it. */
export function createRateLimit(options: RateLimitOptions): RateLimit {
  const limit = options.requestsPerSecond * options.windowSeconds;
  const limitText = String(limit);
  const limiter = new RateLimiterMemory({ points: limit, duration: options.windowSeconds });
  return async (keyId, response) => {
    const state = await limiter.consume(keyId).catch((refused: unknown) => {
      if (refused instanceof RateLimiterRes) return refused;
      throw refused;
    });
    const resetSeconds = Math.ceil(state.msBeforeNext / 1000);
    response.setHeader('ratelimit-limit', limitText);
    response.setHeader('ratelimit-remaining', state.remainingPoints);
    response.setHeader('ratelimit-reset', resetSeconds);
    if (state.consumedPoints > limit) {
      throw comeBackLater('RATE_LIMITED', 'The key has made too many requests', state.msBeforeNext);
    }
  };
}
