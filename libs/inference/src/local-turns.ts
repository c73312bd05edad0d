import { createFairLimiter } from '@clew/kernel';
import { startHeartbeats, type HeartbeatOptions } from './deadline.ts';

/** Prefix of the names of the runtime's own models. */
const LOCAL_PREFIX = 'self/';

/** Makes calls of local models wait for capacity; all others proceed at once. */
export interface LocalTurns {
  run<T>(call: { projectId: string; model: string } & HeartbeatOptions, work: () => Promise<T>): Promise<T>;
}

/**
 * Creates the turns for local models. A small machine answers one call after another, and a call that waits in its
 * engine loses part of its time limit. So calls wait here, giving heartbeats, and their time begins with their turn.
 * All models share the machine and therefore the capacity, and projects take turns.
 */
export function createLocalTurns(maxAtATime: number): LocalTurns {
  const limiter = createFairLimiter({ places: maxAtATime, share: maxAtATime });
  return {
    async run({ projectId, model, ...heartbeat }, work) {
      if (!model.startsWith(LOCAL_PREFIX)) return await work();
      const heartbeats = startHeartbeats(heartbeat);
      try {
        const inTurn = async () => {
          heartbeats.stop();
          return await work();
        };
        return await limiter.run([projectId], inTurn, heartbeat.signal);
      } finally {
        heartbeats.stop();
      }
    },
  };
}
