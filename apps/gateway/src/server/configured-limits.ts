import type { GatewayConfig } from '../config.ts';
import type { CallKind } from './concurrency-limit.ts';
import { createOpenRateLimit, createRateLimit } from './rate-limit.ts';

/** Connectors whose webhooks one address may send as fast as they are taken. */
const OPEN_LIMITS_PER_CALLER = 10;

/** Limits of requests by caller. */
export function rateLimitsOf({ RATE_LIMIT_WINDOW_SECONDS: windowSeconds, ...config }: GatewayConfig) {
  return {
    rateLimit: createRateLimit({ requestsPerSecond: config.RATE_LIMIT_PER_SECOND, windowSeconds }),
    openRateLimit: createOpenRateLimit({
      ...{ requestsPerSecond: config.OPEN_RATE_LIMIT_PER_SECOND, windowSeconds },
      timesPerCaller: OPEN_LIMITS_PER_CALLER,
    }),
  };
}

/**
 * One service gets at most a quarter of all requests in progress, and one project at most 1/32 of that quarter, so that
 * there is room for many projects.
 */
export function projectSharesOf({ MAX_REQUESTS_IN_FLIGHT: maxRequestsInFlight }: GatewayConfig) {
  const places = Math.ceil(maxRequestsInFlight / 4);
  return { maxRequestsInFlight, turns: { places, share: Math.ceil(places / 32) } };
}

/** Limits of sizes and times, by class of route. */
export function limitsOf(config: GatewayConfig) {
  return {
    headersTimeoutMs: config.HEADERS_TIMEOUT_MS,
    maxConnections: config.MAX_CONNECTIONS,
    maxBodyBytes: {
      json: config.MAX_JSON_BODY_BYTES,
      batch: config.MAX_BATCH_BODY_BYTES,
      otlp: config.MAX_BATCH_BODY_BYTES,
      inference: config.MAX_BATCH_BODY_BYTES,
      audio: config.MAX_AUDIO_BODY_BYTES,
      stream: config.MAX_STREAM_BODY_BYTES,
    },
    upstreamTimeoutMs: {
      json: config.JSON_UPSTREAM_TIMEOUT_MS,
      batch: config.BATCH_UPSTREAM_TIMEOUT_MS,
      otlp: config.BATCH_UPSTREAM_TIMEOUT_MS,
      inference: config.INFERENCE_UPSTREAM_TIMEOUT_MS,
      audio: config.INFERENCE_UPSTREAM_TIMEOUT_MS,
      stream: config.STREAM_UPSTREAM_TIMEOUT_MS,
    },
  };
}

/** Limits of requests in progress per caller, by kind of call. */
export function maxAtATime(config: GatewayConfig): Record<CallKind, number> {
  const { MAX_CONCURRENT_REQUESTS: requests } = config;
  return {
    ...{ json: requests, batch: requests, otlp: requests, inference: requests },
    audio: config.MAX_CONCURRENT_RECORDINGS,
    stream: config.MAX_CONCURRENT_STREAMS,
    events: config.MAX_CONCURRENT_EVENT_STREAMS,
  };
}
