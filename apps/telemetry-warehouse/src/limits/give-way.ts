import { createLimiter } from '@clew/kernel';

export interface GiveWayOptions {
  /** Whether work that is more urgent is under way. */
  isBusy(): boolean;
  /** Maximum pause after a piece of work, in milliseconds. */
  maxPauseMs?: number;
}

/** Runs a piece of work when it may begin. */
export type GiveWay = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** The measured time contains waits for the urgent work itself, so that it may be far more than the work took. */
const MAX_PAUSE_MS = 250;

/**
 * Makes work give way to more urgent work: while there is any, one piece runs at a time, and after each there is a pause
 * as long as it took, so that half of the processor is left. Otherwise every piece begins at once.
 */
export function createGiveWay({ isBusy, maxPauseMs = MAX_PAUSE_MS }: GiveWayOptions): GiveWay {
  const turns = createLimiter(1);
  return async (work) => {
    if (!isBusy()) return await work();
    const leave = await turns.enter();
    const begunAtMs = performance.now();
    try {
      return await work();
    } finally {
      setTimeout(leave, Math.min(performance.now() - begunAtMs, maxPauseMs));
    }
  };
}
