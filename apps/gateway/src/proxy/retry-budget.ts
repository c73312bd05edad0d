/** Decides whether a retry may be made: retries are at most a tenth of the requests, so that they cannot pile up. */
export interface RetryBudget {
  countRequest(): void;
  takeRetry(): boolean;
}

const RETRIES_PER_REQUEST = 0.1;
/** Maximum number of retries saved up, and the number available at the start. */
const MAX_RETRIES_SAVED = 10;

export function createRetryBudget(): RetryBudget {
  let saved = MAX_RETRIES_SAVED;
  return {
    countRequest() {
      saved = Math.min(MAX_RETRIES_SAVED, saved + RETRIES_PER_REQUEST);
    },
    takeRetry() {
      if (saved < 1) return false;
      saved -= 1;
      return true;
    },
  };
}
