import { backoffMs, type BackOff } from '@clew/kernel';

/** What is known of somebody who did not answer in time. Whoever answers has none. */
export interface Circuit {
  /** How often in a row nothing was answered in time. */
  timeouts: number;
  /** How often in a row that has opened it. */
  opened: number;
  /** While it is open nobody is asked; then one call is to show whether there is an answer again. */
  openUntil: number | null;
}

export type Passage =
  | { kind: 'all' }
  /** One call, which is to show whether there is an answer again. */
  | { kind: 'one' }
  | { kind: 'none'; untilMs: number };

/** So many time-outs in a row open a circuit. */
export const TIMEOUTS_TO_OPEN = 3;
const OPEN_FOR: BackOff = { firstMs: 60_000, maxMs: 15 * 60_000 };
/** The one call may be lost; it has an end, one way or the other, long before. */
const TRIED_FOR_MS = 15 * 60_000;

export function passageOf(circuit: Circuit | undefined, nowMs: number): Passage {
  if (circuit?.openUntil == null) return { kind: 'all' };
  return circuit.openUntil > nowMs ? { kind: 'none', untilMs: circuit.openUntil } : { kind: 'one' };
}

/** The one call is under way: nobody else is asked until it has ended. */
export function tried(circuit: Circuit, nowMs: number): Circuit {
  return { ...circuit, timeouts: 0, openUntil: nowMs + TRIED_FOR_MS };
}

/**
 * After a call that was not answered in time. Calls that were begun before it opened end later, and say nothing new: it
 * stays open for as long as it was to be.
 */
export function afterTimeout(circuit: Circuit | undefined, nowMs: number): Circuit {
  const { timeouts, opened, openUntil } = circuit ?? { timeouts: 0, opened: 0, openUntil: null };
  const isBeingTried = openUntil !== null && timeouts === 0;
  if (openUntil !== null && openUntil > nowMs && !isBeingTried) return { timeouts, opened, openUntil };
  const counted = timeouts + 1;
  if (openUntil === null && counted < TIMEOUTS_TO_OPEN) return { timeouts: counted, opened, openUntil };
  return { timeouts: counted, opened: opened + 1, openUntil: nowMs + backoffMs(opened + 1, OPEN_FOR) };
}
