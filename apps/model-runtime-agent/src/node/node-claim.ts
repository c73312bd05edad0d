import { setTimeout as sleep } from 'node:timers/promises';
import { createLease, type Database } from '@clew/persistence';
import type { Logger } from '@clew/runtime';

export interface NodeClaim {
  /** Resolves when another agent has taken over the node: then this one must end. */
  readonly lost: Promise<void>;
  /** Gives the node back immediately. */
  release(): Promise<void>;
}

/**
 * Waits until this process is the agent of the node, and keeps the claim. While the database is away the claim is kept,
 * since nobody can take it over either, and the engines go on serving.
 */
export async function claimNode(
  database: Database,
  node: string,
  options: { leaseMs: number; logger: Logger; signal: AbortSignal },
): Promise<NodeClaim> {
  const { leaseMs, logger, signal } = options;
  const lease = createLease(database, `runtime-agent:${node}`, leaseMs);
  let told = false;
  while (!(await lease.acquire())) {
    if (!told) logger.info({ node }, 'another agent has the node, or has just ended; waiting');
    told = true;
    await sleep(leaseMs / 10, undefined, { signal });
  }
  const { promise: lost, resolve: lose } = Promise.withResolvers<void>();
  const timer = setInterval(() => {
    lease.acquire().then(
      (held) => {
        if (!held) lose();
      },
      (error: unknown) => logger.warn({ err: error, node }, 'the claim on the node could not be renewed'),
    );
  }, leaseMs / 4);
  return {
    lost,
    async release() {
      clearInterval(timer);
      await lease.release();
    },
  };
}
