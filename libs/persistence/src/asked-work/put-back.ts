import { backoffMs, nextDayMs, type BackOff } from '@clew/kernel';

/**
 * State of a row of asked work. `asked`: a worker has the command of this round; the owner defines the other states.
 */
export interface AskedState {
  state: string;
  /** Number of times the work was sent to a worker: an answer to an earlier round no longer counts. */
  rounds: number;
  /** Consecutive rounds without a result. */
  failures: number;
}

/** Answer that says to ask again later; the same as `AskLater` in messages of workers. */
export interface LaterAnswer {
  retryAfterMs: number | null;
  /** True if the project's budget for the day is used up. */
  isBudget: boolean;
  /** True if no call was made, for lack of capacity. */
  isUntried?: boolean | undefined;
}

/** Consecutive failures that are tolerated; one more ends the work. */
export const MAX_FAILURES = 5;
/** Time limit for an answer. The answer, or the command as a dead letter, arrives long before it. */
export const ANSWER_WITHIN_MS = 24 * 3_600_000;
const BACK_OFF: BackOff = { firstMs: 10_000, maxMs: 30 * 60_000 };

/** Tells whether an answer belongs to the current round, and not to an earlier one. */
export function isAnswered<Row extends AskedState>(row: Row | null | undefined, round: number): row is Row {
  return row?.state === 'asked' && row.rounds === round;
}

/**
 * Computes when postponed work is sent again, and its failure count by then; undefined once it has failed too often. A
 * day without budget is not a failure, nor is a call that was never made.
 */
export function afterLater(
  { failures }: Pick<AskedState, 'failures'>,
  { retryAfterMs, isBudget, isUntried = false }: LaterAnswer,
  nowMs: number,
): { dueAt: number; failures: number } | undefined {
  if (isUntried) return { dueAt: nowMs + (retryAfterMs ?? 0), failures };
  if (isBudget) return { dueAt: retryAfterMs === null ? nextDayMs(nowMs) : nowMs + retryAfterMs, failures };
  if (failures >= MAX_FAILURES) return undefined;
  return { dueAt: triedAgainAt(nowMs, failures + 1, retryAfterMs ?? 0), failures: failures + 1 };
}

/** Computes when work with this number of consecutive failures is tried again. */
export function triedAgainAt(nowMs: number, failures: number, retryAfterMs = 0): number {
  return nowMs + Math.max(retryAfterMs, backoffMs(failures, BACK_OFF));
}
