/** Holds requests back from an upstream that cannot be reached, so that they fail at once instead of waiting. */
export interface CircuitBreaker {
  /** Milliseconds to wait before asking again; 0 if the request may go. */
  waitMs(): number;
  succeeded(): void;
  failed(): void;
  isOpen(): boolean;
}

export interface CircuitBreakerOptions {
  /** Number of failures, with no success in between, that opens the breaker. */
  failures: number;
  openMs: number;
  /** A monotonic clock, in milliseconds. */
  now?: () => number;
}

/**
 * Breaker with three states: closed, open, then probing with one request. A successful probe closes the breaker;
 * another probe is sent only after the open time has passed again. A probe that never ends (its caller went away)
 * therefore blocks the upstream only for that time.
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
