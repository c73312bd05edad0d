export interface BackOff {
  /** Pause after the first failure. */
  firstMs: number;
  /** Maximum pause. */
  maxMs: number;
  /**
   * Random share by which a pause is lengthened or shortened, so that callers that failed together do not retry
   * together.
   */
  jitter?: number;
}

/**
 * Computes the pause after this number of consecutive failures, counted from 1: it doubles each time. `random` returns
 * 0 to 1.
 */
export function backoffMs(failures: number, { firstMs, maxMs, jitter = 0 }: BackOff, random = Math.random): number {
  const doubledMs = Math.min(maxMs, firstMs * 2 ** Math.max(0, failures - 1));
  return Math.min(maxMs, doubledMs * (1 + jitter * (2 * random() - 1)));
}
