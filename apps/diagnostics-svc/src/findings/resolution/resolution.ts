import type { FindingVerification, ResolutionStatus } from '@clew/contracts';
import { AppError } from '@clew/kernel';
import type { WorkItemView } from '../work-item-view.ts';
import { recurrenceBound } from './recurrence-bound.ts';

export interface ResolutionState {
  resolutionStatus: ResolutionStatus;
  /** Time of the current resolution, or of the one that regressed. */
  resolvedAt: number | null;
  /** Time of the last regression. */
  regressedAt: number | null;
  /** Verification in progress while `awaiting_verification`, or the last completed one. */
  verification: FindingVerification | null;
}

export const UNRESOLVED: ResolutionState = {
  resolutionStatus: 'unresolved',
  resolvedAt: null,
  regressedAt: null,
  verification: null,
};

export interface ManualMove {
  to: 'resolved' | 'unresolved';
  /** Primary work item, or null. */
  workItem: WorkItemView | null;
  nowMs: number;
}

/** State after a person's move; the same object if nothing changes. */
export function moved<State extends ResolutionState>(state: State, { to, workItem, nowMs }: ManualMove): State {
  if (to === 'unresolved') return unresolved(state);
  if (workItem !== null && workItem.status !== 'done') {
    throw new AppError('WORK_ITEM_NOT_DONE', 'A Finding whose work item is not done cannot be resolved');
  }
  if (state.resolutionStatus === 'resolved') return state;
  return { ...state, resolutionStatus: 'resolved', resolvedAt: nowMs, verification: null };
}

/** Clears the resolution, as if there had never been one. */
export function unresolved<State extends ResolutionState>(state: State): State {
  if (state.resolutionStatus === 'unresolved') return state;
  return { ...state, ...UNRESOLVED };
}

/** State after a repair: conversations that start from now on show whether it helped. */
export function awaitingVerification<State extends ResolutionState>(
  state: State,
  { requiredExposures, nowMs }: { requiredExposures: number; nowMs: number },
): State {
  if (state.resolutionStatus === 'resolved' || state.resolutionStatus === 'awaiting_verification') return state;
  const verification = { since: nowMs, cleanExposures: 0, requiredExposures, recurrenceBound: recurrenceBound(0) };
  return { ...state, resolutionStatus: 'awaiting_verification', verification };
}

/** Verification that counts from the beginning: what its Finding consists of has changed. */
export function verifiedAnew<State extends ResolutionState>(state: State, nowMs: number): State {
  if (state.resolutionStatus !== 'awaiting_verification' || state.verification === null) return state;
  const bound = recurrenceBound(0);
  return { ...state, verification: { ...state.verification, since: nowMs, cleanExposures: 0, recurrenceBound: bound } };
}

/**
 * State after a conversation has shown the problem. Only a conversation that started after the repair counts, also one
 * that was clean in an earlier snapshot; a late result of an earlier one changes nothing. A regressed state stays until it is resolved again, so each resolution
 * regresses at most once.
 */
export function shownAgain<State extends ResolutionState>(state: State, startedAt: number, nowMs: number): State {
  const since = repairedAt(state);
  if (since === null || startedAt <= since) return state;
  return { ...state, resolutionStatus: 'regressed', regressedAt: nowMs, verification: null };
}

/** State after a conversation that could have shown the problem did not. */
export function notShown<State extends ResolutionState>(state: State, startedAt: number, nowMs: number): State {
  const { verification } = state;
  if (state.resolutionStatus !== 'awaiting_verification' || verification === null) return state;
  if (startedAt <= verification.since) return state;
  const cleanExposures = verification.cleanExposures + 1;
  const next = { ...verification, cleanExposures, recurrenceBound: recurrenceBound(cleanExposures) };
  if (cleanExposures < verification.requiredExposures) return { ...state, verification: next };
  return { ...state, resolutionStatus: 'resolved', resolvedAt: nowMs, verification: next };
}

function repairedAt({ resolutionStatus, resolvedAt, verification }: ResolutionState): number | null {
  // Exposures verify the repair: a conversation that started since then and shows the problem refutes them.
  if (resolutionStatus === 'resolved') return verification?.since ?? resolvedAt;
  if (resolutionStatus === 'awaiting_verification') return verification?.since ?? null;
  return null;
}
