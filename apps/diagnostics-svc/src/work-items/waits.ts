import { backoffMs } from '@clew/kernel';
import type { Later } from '@clew/issue-trackers';

/** Time without success after which a work item is given up, until somebody asks for it again. */
export const GIVE_UP_MS = 24 * 3_600_000;
/** Time after a creation was sent in which the provider may still be at it, so that no search proves its absence. */
export const SETTLE_MS = 20_000;
/** Time for which an issue is looked for where an empty search proves nothing. */
export const LOOKUP_BOUND_MS = 60_000;

const JITTER = 0.2;
const AGAIN = { firstMs: 1_000, maxMs: 15_000 };
const UNAVAILABLE = { firstMs: 2_000, maxMs: 10 * 60_000, jitter: JITTER };
const LATE_LOOKUP = { firstMs: 5 * 60_000, maxMs: 3_600_000, jitter: JITTER };
const MAX_ASKED_MS = 3_600_000;

/** Wait before the next call after one that had no effect; `failures` counts this one. */
export function waitAfter({ retryAfterMs, isMinimum }: Pick<Later, 'retryAfterMs' | 'isMinimum'>, failures: number) {
  if (retryAfterMs === null) return backoffMs(failures, UNAVAILABLE);
  if (!isMinimum) return retryAfterMs;
  const growing = { firstMs: Math.max(1_000, retryAfterMs), maxMs: Math.max(MAX_ASKED_MS, retryAfterMs) };
  return backoffMs(failures, growing);
}

/** Wait before an issue is looked for after an unknown outcome. */
export function waitToLook(failures: number): number {
  return backoffMs(failures, AGAIN);
}

/** Wait before an issue is looked for once more that did not appear within the bound. */
export function waitToLookLate(failures: number): number {
  return backoffMs(Math.max(1, failures - 8), LATE_LOOKUP);
}
