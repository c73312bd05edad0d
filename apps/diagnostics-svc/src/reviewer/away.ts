/** Pauses before a model that is away is looked at again: they grow, because its return is told as well. */
const [FIRST_LOOK_MS, LAST_LOOK_MS] = [10_000, 3_600_000];
/** Longest wait in milliseconds for a model that is away; what it should have read then is left to a backfill. */
const GIVEN_UP_AFTER_MS = 7 * 24 * 3_600_000;

/** Wait for a model that is away: since when, and the time of the next look; undefined once it was away for too long. */
export function afterAway(
  row: { awaySince?: number | undefined },
  nowMs: number,
  retryAfterMs = 0,
): { dueAt: number; awaySince: number } | undefined {
  const { awaySince = nowMs } = row;
  const ageMs = nowMs - awaySince;
  if (ageMs > GIVEN_UP_AFTER_MS) return undefined;
  return { awaySince, dueAt: nowMs + Math.max(retryAfterMs, Math.min(LAST_LOOK_MS, Math.max(FIRST_LOOK_MS, ageMs))) };
}

/**
 * Has the first of the rows that are considered together look again, and the others wait for it: when the model is back,
 * all of them are released, so that what waits for it costs little.
 */
export function createAwayPauses(nowMs: number) {
  let isFirst = true;
  return (row: { awaySince?: number | undefined }) => {
    const again = afterAway(row, nowMs);
    if (again === undefined || isFirst) {
      isFirst = isFirst && again === undefined;
      return again;
    }
    return { ...again, dueAt: nowMs + LAST_LOOK_MS };
  };
}
