/** Says whether a retry may be made: they are a tenth of the requests at most, so that they cannot become a storm. */
export interface RetryBudget {
  countRequest(): void;
  takeRetry(): boolean;
}

const RETRIES_PER_REQUEST = 0.1;
/** What can be saved up, and what there is to begin with. */
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
