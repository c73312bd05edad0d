import type { FindingVerification, ResolutionStatus } from '@clew/contracts';
import { AppError } from '@clew/kernel';
import type { WorkItemView } from '../work-item-view.ts';
import { recurrenceBound } from './recurrence-bound.ts';

export interface ResolutionState {
  resolutionStatus: ResolutionStatus;
  /** Of the resolution that holds, or that it regressed from. */
  resolvedAt: number | null;
  /** Of its last regression. */
  regressedAt: number | null;
  /** While it is `awaiting_verification`, and of what was verified last. */
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
  /** The primary work item, or null. */
  workItem: WorkItemView | null;
  nowMs: number;
}

/** What people say of it. A move that changes nothing gives back the same object. */
export function moved<State extends ResolutionState>(state: State, { to, workItem, nowMs }: ManualMove): State {
  if (to === 'unresolved') return unresolved(state);
  if (workItem !== null && workItem.status !== 'done') {
    throw new AppError('WORK_ITEM_NOT_DONE', 'A Finding whose work item is not done cannot be resolved');
  }
  if (state.resolutionStatus === 'resolved') return state;
  return { ...state, resolutionStatus: 'resolved', resolvedAt: nowMs, verification: null };
}

/** The resolution is cleared: as if there had never been one. */
export function unresolved<State extends ResolutionState>(state: State): State {
  if (state.resolutionStatus === 'unresolved') return state;
  return { ...state, ...UNRESOLVED };
}

/** The repair is done: conversations that start from now on tell whether it helped. */
export function awaitingVerification<State extends ResolutionState>(
  state: State,
  { requiredExposures, nowMs }: { requiredExposures: number; nowMs: number },
): State {
  if (state.resolutionStatus === 'resolved' || state.resolutionStatus === 'awaiting_verification') return state;
  const verification = { since: nowMs, cleanExposures: 0, requiredExposures, recurrenceBound: recurrenceBound(0) };
  return { ...state, resolutionStatus: 'awaiting_verification', verification };
}

/**
 * A conversation shows the problem. Only one that started after the repair tells anything of it: what comes late, from
 * before, changes nothing. Once regressed, it stays so until it is resolved anew: one regression a resolution.
 */
export function shownAgain<State extends ResolutionState>(state: State, startedAt: number, nowMs: number): State {
  const since = repairedAt(state);
  if (since === null || startedAt <= since) return state;
  return { ...state, resolutionStatus: 'regressed', regressedAt: nowMs, verification: null };
}

/** A conversation that could have shown the problem does not. */
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
  if (resolutionStatus === 'resolved') return resolvedAt;
  if (resolutionStatus === 'awaiting_verification') return verification?.since ?? null;
  return null;
}
