import type { Clock } from '@clew/kernel';

export interface FixedClock extends Clock {
  advance(ms: number): void;
}

/** Creates a clock that stands still between calls of `advance`. */
export function fixedClock(startMs: number): FixedClock {
  let nowMs = startMs;
  return {
    now: () => nowMs,
    advance(ms) {
      nowMs += ms;
    },
  };
}
