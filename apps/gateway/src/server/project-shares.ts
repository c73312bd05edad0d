import type { ServerResponse } from 'node:http';
import { createFairLimiter, createSharedBudget, type FairLimiter } from '@clew/kernel';

/** What a replica can have under way at a time, shared by the projects. */
export interface ProjectShares {
  /** Counts one more request of a project; throws where the project, or all together, have as many as they may. */
  begin(projectId: string): () => void;
  /**
   * Forwards what is answered soon, once its project has a turn at the service: what waits here takes nothing of the
   * service. Resolves when the answer has ended.
   */
  inTurn(upstream: string, projectId: string, response: ServerResponse, forward: () => void): Promise<void>;
}

export interface ProjectSharesOptions {
  maxRequestsInFlight: number;
  /** How many that are answered soon may be at one service, and how many of one project among them. */
  turns: { places: number; share: number };
}

const RETRY_AFTER_MS = 1_000;

/**
 * Limits of a key say nothing of a project that has many keys. A service answers in the order of what comes, so that
 * hundreds of requests of one project would have each of all others wait behind them.
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
