import type { TrackerProvider } from '@clew/contracts';

/** Pace of the calls with the credentials of one connector. Times are Unix epoch milliseconds. */
export interface Pace {
  /** Time before which no call is made, because the provider said so. */
  blockedUntil: number;
  /** By limit, the time at which creations at its steady rate would have reached their number. */
  reachedAt: readonly number[];
}

interface CreationLimit {
  /** Pause between two creations at the steady rate. */
  everyMs: number;
  /** Creations that may come at once. */
  burst: number;
}

/**
 * Limits for the creation of content, of which GitHub has 80 a minute and 500 an hour: in any such time, a burst and the
 * steady rate together stay below.
 */
const LIMITS: Readonly<Record<TrackerProvider, readonly CreationLimit[]>> = {
  github: [
    { everyMs: 1_000, burst: 20 },
    { everyMs: 9_000, burst: 100 },
  ],
  ...{ gitlab: [], jira: [], linear: [] },
};

export const FREE: Pace = { blockedUntil: 0, reachedAt: [] };

/** Pace after a creation, if it may be made now; otherwise how long it has to wait. */
export function withCreation(
  pace: Pace,
  provider: TrackerProvider,
  nowMs: number,
): { pace: Pace } | { waitMs: number } {
  const next = LIMITS[provider].map(({ everyMs, burst }, index) => {
    const reachedAt = Math.max(nowMs, pace.reachedAt[index] ?? 0) + everyMs;
    return { reachedAt, waitMs: reachedAt - burst * everyMs - nowMs };
  });
  const waitMs = Math.max(waitOf(pace, nowMs), ...next.map((limit) => limit.waitMs));
  if (waitMs > 0) return { waitMs };
  return { pace: { ...pace, reachedAt: next.map(({ reachedAt }) => reachedAt) } };
}

export function blocked(pace: Pace, untilMs: number): Pace {
  return untilMs <= pace.blockedUntil ? pace : { ...pace, blockedUntil: untilMs };
}

export function waitOf({ blockedUntil }: Pace, nowMs: number): number {
  return Math.max(0, blockedUntil - nowMs);
}
