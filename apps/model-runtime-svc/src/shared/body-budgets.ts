import { createSharedBudget, type SharedBudget } from '@clew/kernel';

/**
 * Room for the bodies of all calls in progress, in bytes as sent. Projects share it, charged by the bytes that have
 * arrived.
 */
export interface BodyBudgets {
  /** Budget for bodies that are read whole. */
  memory: SharedBudget;
  /** Budget for recordings. */
  disk: SharedBudget;
}

export interface BodyBudgetOptions {
  memoryBytes: number;
  diskBytes: number;
}

/** Copies of a body in memory: its bytes, its text, its parsed form and the body that is sent. */
const COPIES_OF_A_BODY = 4;
const RETRY_AFTER_MS = 1_000;

export function createBodyBudgets({ memoryBytes, diskBytes }: BodyBudgetOptions): BodyBudgets {
  const common = {
    retryAfterMs: RETRY_AFTER_MS,
    shareMessage: 'The project has too many large calls under way',
    wholeMessage: 'Too many large calls are under way',
  };
  return {
    memory: createSharedBudget({ ...common, maxUnits: Math.floor(memoryBytes / COPIES_OF_A_BODY) }),
    disk: createSharedBudget({ ...common, maxUnits: diskBytes }),
  };
}
