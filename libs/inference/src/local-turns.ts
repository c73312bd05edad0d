import { createLimiter } from '@clew/kernel';
import { startBeats, type BeatOptions } from './deadline.ts';

/** How the names of the runtime's own models begin. */
const LOCAL_PREFIX = 'self/';

/** Lets calls of local models wait until there is room for them; all others go on at once. */
export interface LocalTurns {
  run<T>(call: { model: string } & BeatOptions, work: () => Promise<T>): Promise<T>;
}

/**
 * A small machine answers one call after another. What waits in its engine loses the time that it was given; so it waits
 * here, beating, and its time begins with its turn. They share a machine, so they share the room too, whatever the model.
 */
export function createLocalTurns(maxAtATime: number): LocalTurns {
  const limiter = createLimiter(maxAtATime);
  return {
    async run({ model, ...beat }, work) {
      if (!model.startsWith(LOCAL_PREFIX)) return await work();
      const beats = startBeats(beat);
      try {
        return await limiter.run(async () => {
          beats.stop();
          return await work();
        }, beat.signal);
      } finally {
        beats.stop();
      }
    },
  };
}
