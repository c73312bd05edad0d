import { comeBackLater } from '@clew/kernel';

/** What the bodies of all calls under way may take together; beyond it callers come back later. */
export interface BodyBudget {
  /** Throws OVERLOADED where there is no room; the function gives it back. */
  take(bytes: number): () => void;
}

const RETRY_AFTER_MS = 1_000;

export function createBodyBudget(maxBytes: number): BodyBudget {
  let takenBytes = 0;
  return {
    take(bytes) {
      // One body may always be there, however large.
      if (takenBytes > 0 && takenBytes + bytes > maxBytes) {
        throw comeBackLater('OVERLOADED', 'Too many large calls are under way', RETRY_AFTER_MS);
      }
      takenBytes += bytes;
      return () => {
        takenBytes -= bytes;
      };
    },
  };
}
