import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '@clew/kernel';

export interface EventuallyOptions {
  /** Time limit; 30,000 by default: a condition that holds is seen at once, and a machine may be slow. */
  timeoutMs?: number;
  /** Interval; 20 by default. */
  intervalMs?: number;
  /** Clock of the time limit; the machine's by default. */
  clock?: Clock;
}

/**
 * Repeats a probe until it stops throwing, and returns its result; rejects with its last error after the time limit.
 * The probe states the condition, usually with `expect`.
 */
export async function eventually<T>(probe: () => T | Promise<T>, options: EventuallyOptions = {}): Promise<T> {
  const { timeoutMs = 30_000, intervalMs = 20, clock = { now: Date.now } } = options;
  const deadlineMs = clock.now() + timeoutMs;
  for (;;) {
    try {
      return await probe();
    } catch (error) {
      if (clock.now() >= deadlineMs) throw error;
    }
    await sleep(intervalMs);
  }
}
