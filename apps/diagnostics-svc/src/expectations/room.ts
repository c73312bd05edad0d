import { MAX_ACTIVE_EXPECTATIONS } from '@clew/contracts';
import { AppError } from '@clew/kernel';
import { isActive, type StoredExpectation } from './expectation.ts';

/** How many more may be active beside those that are. */
export function roomIn(active: number): number {
  return Math.max(0, MAX_ACTIVE_EXPECTATIONS - active);
}

/** Throws where a change makes more of them active than a project may have. */
export function requireRoom(active: number, added: number): void {
  if (added <= 0 || active <= MAX_ACTIVE_EXPECTATIONS) return;
  const message = `A project has at most ${MAX_ACTIVE_EXPECTATIONS} active Expectations`;
  throw new AppError('TOO_MANY_EXPECTATIONS', message);
}

export function activeAmong(expectations: readonly StoredExpectation[]): number {
  return expectations.filter(isActive).length;
}
