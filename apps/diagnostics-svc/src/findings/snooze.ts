import type { FindingSnooze, NewSnooze } from '@clew/contracts';

export interface SnoozeState {
  snooze: FindingSnooze | null;
}

export function snoozed<State extends SnoozeState>(state: State, wanted: NewSnooze | null, nowMs: number): State {
  if (wanted === null) return state.snooze === null ? state : { ...state, snooze: null };
  const { until = null, furtherOccurrences = null } = wanted;
  return { ...state, snooze: { since: nowMs, until, furtherOccurrences } };
}

/** State after a further conversation has shown the Finding; the last of the expected number ends the snooze. */
export function withFurtherOccurrence<State extends SnoozeState>(state: State): State {
  const left = state.snooze?.furtherOccurrences ?? null;
  if (state.snooze === null || left === null) return state;
  return { ...state, snooze: left <= 1 ? null : { ...state.snooze, furtherOccurrences: left - 1 } };
}

/** Snooze at that moment; null once its time is over. */
export function currentSnooze({ snooze }: SnoozeState, nowMs: number): FindingSnooze | null {
  return snooze !== null && snooze.until !== null && snooze.until <= nowMs ? null : snooze;
}
