import { createSharedBudget, type SharedBudget } from '@clew/kernel';

/** Room for the bodies of all calls under way, in bytes as they are sent; projects share it, charged by what has come. */
export interface BodyBudgets {
  /** For bodies that are read whole. */
  memory: SharedBudget;
  /** For recordings. */
  disk: SharedBudget;
}

export interface BodyBudgetOptions {
  memoryBytes: number;
  diskBytes: number;
}

/** A body is held as bytes, as text, parsed and as what is sent. */
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
