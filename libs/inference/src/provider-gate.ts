import { setTimeout as sleep } from 'node:timers/promises';
import { createKeyedLimiter } from '@clew/kernel';
import { InferenceError } from './inference-error.ts';

export interface ProviderGateOptions {
  /** Calls that one provider gets at a time. */
  maxConcurrent: number;
  /** Calls that one provider gets a minute, evenly; no limit by default. */
  maxCallsPerMinute?: number | undefined;
  /** Whoever would have to wait for longer is sent away at once, and told for how long. */
  maxWaitMs: number;
}

/** Lets calls through to each provider so many at a time and so many a minute, and none while it asked for a pause. */
export interface ProviderGate {
  /** Throws UNAVAILABLE, without a call, where the provider's pause is too long to wait for. */
  run<T>(provider: string, call: () => Promise<T>, signal: AbortSignal): Promise<T>;
  /** The provider asked to be left alone for so long: that holds for all calls, not only for the one that was told. */
  pause(provider: string, forMs: number): void;
}

const MINUTE_MS = 60_000;
/** Beyond so many, what is over is forgotten. */
const MAX_KEPT = 1_000;

export function createProviderGate({ maxConcurrent, maxCallsPerMinute, maxWaitMs }: ProviderGateOptions): ProviderGate {
  const limiter = createKeyedLimiter(maxConcurrent);
  const intervalMs = maxCallsPerMinute === undefined ? 0 : MINUTE_MS / maxCallsPerMinute;
  /** The earliest moment of the next call to each provider. */
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
      // It may have been put off once more meanwhile.
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
