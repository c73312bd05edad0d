import { InferenceError } from './inference-error.ts';
import { addUsage, NO_USAGE, type Usage } from './usage.ts';

/** The tokens that a job may use, over all of its calls. */
export interface TokenBudget {
  readonly usedTokens: number;
  /** What all calls that were answered cost, also where the answer was of no use. */
  readonly usage: Usage;
  /** Throws JOB_BUDGET_EXHAUSTED where nothing is left. */
  require(): void;
  use(usage: Usage): void;
}

/** What is used is known only after a call, so the last one may overdraw it. */
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
