import { InferenceError } from './inference-error.ts';
import { addUsage, NO_USAGE, type Usage } from './usage.ts';

/** Tokens that a job may use, over all of its calls. */
export interface TokenBudget {
  readonly usedTokens: number;
  /** Cost of all answered calls, including those with useless answers. */
  readonly usage: Usage;
  /** Throws JOB_BUDGET_EXHAUSTED if nothing is left. */
  require(): void;
  use(usage: Usage): void;
}

/** Creates a budget. Usage is known only after a call, so the last call may exceed it. */
export function createTokenBudget(maxTokens: number): TokenBudget {
  let usage = NO_USAGE;
  return {
    get usedTokens() {
      return usage.totalTokens;
    },
    get usage() {
      return usage;
    },
    require() {
      if (usage.totalTokens >= maxTokens) {
        throw new InferenceError('JOB_BUDGET_EXHAUSTED', `The job has used ${usage.totalTokens} tokens`);
      }
    },
    use(more) {
      usage = addUsage(usage, more);
    },
  };
}
