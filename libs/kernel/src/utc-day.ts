const DAY_MS = 24 * 3_600_000;

/** Number of the UTC day of a time in Unix epoch milliseconds, used for daily budgets. */
export function dayOf(nowMs: number): number {
  return Math.floor(nowMs / DAY_MS);
}

/** Beginning of the next UTC day, in Unix epoch milliseconds. */
export function nextDayMs(nowMs: number): number {
  return (dayOf(nowMs) + 1) * DAY_MS;
}
