import { InferenceError } from './inference-error.ts';

/** The tokens that a job may use, over all of its calls. */
export interface TokenBudget {
  readonly usedTokens: number;
  /** Throws JOB_BUDGET_EXHAUSTED where nothing is left. */
  require(): void;
  use(tokens: number): void;
}

/** What is used is known only after a call, so the last one may overdraw it. */
export function createTokenBudget(maxTokens: number): TokenBudget {
  let usedTokens = 0;
  return {
    get usedTokens() {
      return usedTokens;
    },
    require() {
      if (usedTokens >= maxTokens)
        throw new InferenceError('JOB_BUDGET_EXHAUSTED', `The job has used ${usedTokens} tokens`);
    },
    use(tokens) {
      usedTokens += tokens;
    },
  };
}
