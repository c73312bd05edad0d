import { MAX_ACTIVE_EXPECTATIONS } from '@clew/contracts';
import { AppError } from '@clew/kernel';
import { isActive, type StoredExpectation } from './expectation.ts';

/** Number of Expectations that may still be activated. */
export function roomIn(active: number): number {
  return Math.max(0, MAX_ACTIVE_EXPECTATIONS - active);
}

/** Throws if a change activates more Expectations than a project may have. */
export function requireRoom(active: number, added: number): void {
  if (added <= 0 || active <= MAX_ACTIVE_EXPECTATIONS) return;
  const message = `A project has at most ${MAX_ACTIVE_EXPECTATIONS} active Expectations`;
  throw new AppError('TOO_MANY_EXPECTATIONS', message);
}

export function activeAmong(expectations: readonly StoredExpectation[]): number {
  return expectations.filter(isActive).length;
}
