/** Keeps requests from an upstream that cannot be reached, so that they fail at once instead of waiting for it. */
export interface CircuitBreaker {
  /** Milliseconds to wait before asking again; 0 where the request may go. */
  waitMs(): number;
  succeeded(): void;
  failed(): void;
  isOpen(): boolean;
}

export interface CircuitBreakerOptions {
  /** Opens after so many failures with no success in between. */
  failures: number;
  openMs: number;
  /** A monotonic clock, in milliseconds. */
  now?: () => number;
}

/**
 * Closed, open, then one request as a probe: its success closes the breaker, and until then another probe goes only
 * after the open time again. A probe that never ends (its caller went away) therefore blocks nothing for good.
 */
export function createCircuitBreaker({
  failures,
  openMs,
  now = () => performance.now(),
}: CircuitBreakerOptions): CircuitBreaker {
  let failed = 0;
  let nextProbeAtMs = 0;
  return {
    waitMs() {
      if (failed < failures) return 0;
      const nowMs = now();
      if (nowMs < nextProbeAtMs) return nextProbeAtMs - nowMs;
      nextProbeAtMs = nowMs + openMs;
      return 0;
    },
    succeeded() {
      failed = 0;
    },
    failed() {
      failed += 1;
      if (failed >= failures) nextProbeAtMs = now() + openMs;
    },
    isOpen: () => failed >= failures,
  };
}
