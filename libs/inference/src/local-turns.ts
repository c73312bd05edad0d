import { createFairLimiter } from '@clew/kernel';
import { startBeats, type BeatOptions } from './deadline.ts';

/** How the names of the runtime's own models begin. */
const LOCAL_PREFIX = 'self/';

/** Lets calls of local models wait until there is room for them; all others go on at once. */
export interface LocalTurns {
  run<T>(call: { projectId: string; model: string } & BeatOptions, work: () => Promise<T>): Promise<T>;
}

/**
 * A small machine answers one call after another. What waits in its engine loses the time that it was given; so it waits
 * here, beating, and its time begins with its turn. They share a machine, so they share the room too, whatever the model,
 * and projects have their turns one after the other.
 */
export function createLocalTurns(maxAtATime: number): LocalTurns {
  const limiter = createFairLimiter({ places: maxAtATime, share: maxAtATime });
  return {
    async run({ projectId, model, ...beat }, work) {
      if (!model.startsWith(LOCAL_PREFIX)) return await work();
      const beats = startBeats(beat);
      try {
        const inTurn = async () => {
          beats.stop();
          return await work();
        };
        return await limiter.run([projectId], inTurn, beat.signal);
      } finally {
        beats.stop();
      }
    },
  };
}
