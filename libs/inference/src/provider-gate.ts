import { setTimeout as sleep } from 'node:timers/promises';
import { createKeyedLimiter } from '@clew/kernel';
import { InferenceError } from './inference-error.ts';

export interface ProviderGateOptions {
  /** Maximum concurrent calls per provider. */
  maxConcurrent: number;
  /** Maximum calls per minute and provider, evenly spaced; no limit by default. */
  maxCallsPerMinute?: number | undefined;
  /** Maximum wait: a call that would have to wait longer is rejected at once, with the time. */
  maxWaitMs: number;
}

/**
 * Limits the calls to each provider, concurrently and per minute, and stops them while the provider asked for a pause.
 */
export interface ProviderGate {
  /** Throws UNAVAILABLE, without a call, if the provider's pause is too long to wait for. */
  run<T>(provider: string, call: () => Promise<T>, signal: AbortSignal): Promise<T>;
  /** Records that the provider asked for a pause: it applies to all calls, not only to the one that was told. */
  pause(provider: string, forMs: number): void;
}

const MINUTE_MS = 60_000;
/** Number of entries beyond which expired ones are removed. */
const MAX_KEPT = 1_000;

export function createProviderGate({ maxConcurrent, maxCallsPerMinute, maxWaitMs }: ProviderGateOptions): ProviderGate {
  const limiter = createKeyedLimiter(maxConcurrent);
  const intervalMs = maxCallsPerMinute === undefined ? 0 : MINUTE_MS / maxCallsPerMinute;
  /** Earliest time of the next call to each provider. */
  const nextAtMs = new Map<string, number>();

  function put(provider: string, atMs: number): void {
    if (nextAtMs.size > MAX_KEPT) {
      const nowMs = Date.now();
      for (const [key, until] of nextAtMs) if (until <= nowMs) nextAtMs.delete(key);
    }
    nextAtMs.set(provider, atMs);
  }

  async function waitForTurn(provider: string, signal: AbortSignal): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      const nowMs = Date.now();
      const waitMs = (nextAtMs.get(provider) ?? 0) - nowMs;
      if (waitMs <= 0) {
        if (intervalMs > 0) put(provider, nowMs + intervalMs);
        return;
      }
      if (waitMs > maxWaitMs) {
        throw new InferenceError('UNAVAILABLE', 'The provider asked for a pause', { retryAfterMs: waitMs });
      }
      // The pause may have been extended meanwhile, so it is checked again.
      await sleep(waitMs, undefined, { signal });
    }
  }

  return {
    run: (provider, call, signal) =>
      limiter.run(
        provider,
        async () => {
          await waitForTurn(provider, signal);
          return await call();
        },
        signal,
      ),
    pause(provider, forMs) {
      put(provider, Math.max(nextAtMs.get(provider) ?? 0, Date.now() + forMs));
    },
  };
}
