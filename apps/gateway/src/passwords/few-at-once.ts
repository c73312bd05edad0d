import { comeBackLater, createLimiter } from '@clew/kernel';

const RETRY_AFTER_MS = 1_000;

/** Runs a task when there is a place for it; refuses it with 503 if too many wait already. */
export type FewAtOnce = <Result>(task: () => Promise<Result>) => Promise<Result>;

/** Creates places for what people do to sign in, so that a flood of them leaves room for everything else. */
export function createFewAtOnce({ maxAtOnce, maxWaiting }: { maxAtOnce: number; maxWaiting: number }): FewAtOnce {
  const limiter = createLimiter(maxAtOnce);
  let present = 0;
  return async (task) => {
    if (present >= maxAtOnce + maxWaiting) {
      throw comeBackLater('OVERLOADED', 'Too many people sign in at this moment', RETRY_AFTER_MS);
    }
    present += 1;
    try {
      return await limiter.run(task);
    } finally {
      present -= 1;
    }
  };
}
