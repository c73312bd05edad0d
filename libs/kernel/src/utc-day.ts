const DAY_MS = 24 * 3_600_000;

/** The number of the day (UTC) of a time in Unix epoch milliseconds, by which budgets are counted. */
export function dayOf(nowMs: number): number {
  return Math.floor(nowMs / DAY_MS);
}

/** The beginning of the next day (UTC), in Unix epoch milliseconds. */
export function nextDayMs(nowMs: number): number {
  return (dayOf(nowMs) + 1) * DAY_MS;
}
