import type { ServerResponse } from 'node:http';
import { createFairLimiter, createSharedBudget, type FairLimiter } from '@clew/kernel';

/** Capacity of a replica for requests in progress, shared by the projects. */
export interface ProjectShares {
  /**
   * Counts one more request of a project, and returns the function that ends it. Throws if the project, or all projects
   * together, are at their limit.
   */
  begin(projectId: string): () => void;
  /**
   * Forwards a request that is answered soon, when its project has a turn at the service. A request that waits here
   * takes up nothing of the service. Resolves when the answer has ended.
   */
  inTurn(upstream: string, projectId: string, response: ServerResponse, forward: () => void): Promise<void>;
}

export interface ProjectSharesOptions {
  maxRequestsInFlight: number;
  /** Places at one service for requests that are answered soon, and the share of one project among them. */
  turns: { places: number; share: number };
}

const RETRY_AFTER_MS = 1_000;

/**
 * Fair shares between projects. Limits of a key do not restrain a project that has many keys: a service answers in
 * order of arrival, so hundreds of requests of one project would make all other projects wait behind them.
 */
export function createProjectShares({ maxRequestsInFlight, turns }: ProjectSharesOptions): ProjectShares {
  const requests = createSharedBudget({
    maxUnits: maxRequestsInFlight,
    retryAfterMs: RETRY_AFTER_MS,
    shareMessage: 'The project has too many requests under way',
    wholeMessage: 'The gateway has too many requests under way',
  });
  const limiters = new Map<string, FairLimiter>();

  function limiterOf(upstream: string): FairLimiter {
    const known = limiters.get(upstream);
    if (known !== undefined) return known;
    const made = createFairLimiter(turns);
    limiters.set(upstream, made);
    return made;
  }

  return {
    begin(projectId) {
      const held = requests.open(projectId);
      held.hold(1);
      return held.release;
    },
    async inTurn(upstream, projectId, response, forward) {
      await limiterOf(upstream).run([projectId], async () => {
        if (response.destroyed) return;
        forward();
        await new Promise<void>((resolve) => void response.once('close', resolve));
      });
    },
  };
}
