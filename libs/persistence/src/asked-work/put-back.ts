import { backoffMs, nextDayMs, type BackOff } from '@clew/kernel';

/** A row of asked work. `asked`: somebody has the command of this round; other states are its owner's. */
export interface AskedState {
  state: string;
  /** How often it was asked for: the answer to an earlier round no longer counts. */
  rounds: number;
  /** Rounds in a row that came to nothing. */
  failures: number;
}

/** An answer that says to ask again later, as `AskLater` in messages of workers. */
export interface LaterAnswer {
  retryAfterMs: number | null;
  /** The project allows no more today. */
  isBudget: boolean;
  /** No call was made, for want of a place. */
  isUntried?: boolean | undefined;
}

/** Failures in a row that are put up with; one more ends the work. */
export const MAX_FAILURES = 5;
/** Answers come, or the command is a dead letter, long before. */
export const ANSWER_WITHIN_MS = 24 * 3_600_000;
const BACK_OFF: BackOff = { firstMs: 10_000, maxMs: 30 * 60_000 };

/** Tells whether an answer is to the round that is under way, and not to one that was asked for anew since. */
export function isAnswered<Row extends AskedState>(row: Row | null | undefined, round: number): row is Row {
  return row?.state === 'asked' && row.rounds === round;
}

/**
 * Computes when work that was put off is asked for again, and its failures by then; undefined once it has failed too
 * often. A day without budget is no failure, nor is a call that was never made.
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

/** Computes when work that failed so often in a row is tried again. */
export function triedAgainAt(nowMs: number, failures: number, retryAfterMs = 0): number {
  return nowMs + Math.max(retryAfterMs, backoffMs(failures, BACK_OFF));
}
