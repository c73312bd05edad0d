import { retryAfterMs } from '@clew/kernel';
import type { Answer } from './send.ts';

/** Reads the wait of a `Retry-After`. */
export function askedWait(answer: Answer, nowMs: number): number | undefined {
  return retryAfterMs(answer.header('retry-after'), nowMs);
}

/** Reads a header with a whole number; undefined if there is none. */
export function numberIn(answer: Answer, header: string): number | undefined {
  const text = answer.header(header)?.trim() ?? '';
  return /^\d{1,16}$/.test(text) ? Number(text) : undefined;
}

/** Time between two clocks, and between the commits of two changes. */
export const SKEW_MS = 5 * 60_000;
