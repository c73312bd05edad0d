export interface BackOff {
  /** The pause after the first failure. */
  firstMs: number;
  /** No pause is longer. */
  maxMs: number;
  /** By which share of it a pause is longer or shorter, by chance: so that those who failed together do not come back together. */
  jitter?: number;
}

/** The pause after so many failures in a row, counted from 1: twice as long each time. `random` is from 0 to 1. */
export function backoffMs(failures: number, { firstMs, maxMs, jitter = 0 }: BackOff, random = Math.random): number {
  const doubledMs = Math.min(maxMs, firstMs * 2 ** Math.max(0, failures - 1));
  return Math.min(maxMs, doubledMs * (1 + jitter * (2 * random() - 1)));
}
