import type { IncomingMessage, ServerResponse } from 'node:http';
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

export interface OpenRateLimitOptions extends RateLimitOptions {
  /** Maximum from one address of a caller, as a multiple of that for one path. */
  timesPerCaller: number;
}

/** Counts a request of a route without a key; rejects with RATE_LIMITED beyond the limits. */
export type OpenRateLimit = (request: IncomingMessage, path: string) => Promise<void>;

/** Longer paths are of no route without a key. */
const MAX_PATH_LENGTH = 200;

/**
 * Limit per path, and per address of a caller so that nobody evades it with made-up paths. Callers behind one proxy
 * share the second.
 */
export function createOpenRateLimit(options: OpenRateLimitOptions): OpenRateLimit {
  const points = options.requestsPerSecond * options.windowSeconds;
  const duration = options.windowSeconds;
  const callers = new RateLimiterMemory({ points: points * options.timesPerCaller, duration });
  const paths = new RateLimiterMemory({ points, duration });
  return async (request, path) => {
    try {
      await callers.consume(request.socket.remoteAddress ?? '');
      await paths.consume(path.slice(0, MAX_PATH_LENGTH));
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused;
      throw comeBackLater('RATE_LIMITED', 'Too many requests came for this address', refused.msBeforeNext);
    }
  };
}
