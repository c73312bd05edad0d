import type { PresentState, TargetState } from './issue-tracker.ts';

/** Tells whether an issue is in a state already. Work that has begun is not put back by `open`. */
export function isIn(state: PresentState, target: TargetState): boolean {
  if (target === 'open') return state.kind !== 'done';
  return target === 'in_progress' ? state.kind === 'in_progress' : state.kind === 'done';
}
