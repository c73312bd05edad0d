import { backoffMs, type BackOff } from '@clew/kernel';

/** Circuit breaker of a provider that did not answer in time. A provider that answers has none. */
export interface Circuit {
  /** Consecutive timeouts. */
  timeouts: number;
  /** Consecutive times that the circuit has opened. */
  opened: number;
  /** End of the open period, in which no call is made; then one trial call shows whether the provider answers again. */
  openUntil: number | null;
}

export type Passage =
  | { kind: 'all' }
  /** Exactly one trial call, which shows whether the provider answers again. */
  | { kind: 'one' }
  | { kind: 'none'; untilMs: number };

/** Consecutive timeouts that open a circuit. */
export const TIMEOUTS_TO_OPEN = 3;
const OPEN_FOR: BackOff = { firstMs: 60_000, maxMs: 15 * 60_000 };
/** Wait for the trial call. It may be lost; otherwise it ends, with or without an answer, long before this. */
const TRIED_FOR_MS = 15 * 60_000;

export function passageOf(circuit: Circuit | undefined, nowMs: number): Passage {
  if (circuit?.openUntil == null) return { kind: 'all' };
  return circuit.openUntil > nowMs ? { kind: 'none', untilMs: circuit.openUntil } : { kind: 'one' };
}

/** Marks the trial call as under way: no other call is made until it has ended. */
export function tried(circuit: Circuit, nowMs: number): Circuit {
  return { ...circuit, timeouts: 0, openUntil: nowMs + TRIED_FOR_MS };
}

/**
 * Computes the circuit after a call that timed out. Calls that began before the circuit opened may time out afterwards.
 * They add no information, so the open period stays as it was.
 */
export function afterTimeout(circuit: Circuit | undefined, nowMs: number): Circuit {
  const { timeouts, opened, openUntil } = circuit ?? { timeouts: 0, opened: 0, openUntil: null };
  const isBeingTried = openUntil !== null && timeouts === 0;
  if (openUntil !== null && openUntil > nowMs && !isBeingTried) return { timeouts, opened, openUntil };
  const counted = timeouts + 1;
  if (openUntil === null && counted < TIMEOUTS_TO_OPEN) return { timeouts: counted, opened, openUntil };
  return { timeouts: counted, opened: opened + 1, openUntil: nowMs + backoffMs(opened + 1, OPEN_FOR) };
}
