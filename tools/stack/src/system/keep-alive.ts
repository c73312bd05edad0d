import { reasonOf } from './errors.ts';
import type { Unit } from './unit.ts';
import { delay } from './waiting.ts';

const FIRST_DELAY_MS = 200;
const LONGEST_DELAY_MS = 5_000;
// A process that has lived this long did not end because of the same failure as before.
const STABLE_AFTER_MS = 10_000;

export interface KeepAlive {
  /** Ends the watch, even during a restart. */
  cancel(): void;
}

/** Restarts the unit whenever it ends without having been told to, with growing pauses between the attempts. */
export function keepAlive(unit: Unit, hooks: { log: (line: string) => void; onRestarted: () => void }): KeepAlive {
  const cancelled = new AbortController();
  let startedAtMs = Date.now();
  let nextDelayMs = FIRST_DELAY_MS;
  let isRestarting = false;

  async function restart(ending: string): Promise<void> {
    isRestarting = true;
    if (Date.now() - startedAtMs > STABLE_AFTER_MS) nextDelayMs = FIRST_DELAY_MS;
    hooks.log(`${unit.name} ended by itself (${ending}); starting it again`);
    while (!cancelled.signal.aborted) {
      await delay(nextDelayMs, undefined, { signal: cancelled.signal });
      nextDelayMs = Math.min(nextDelayMs * 2, LONGEST_DELAY_MS);
      try {
        startedAtMs = Date.now();
        await unit.start(cancelled.signal);
        hooks.log(`${unit.name} is back, process ${unit.pid()}`);
        hooks.onRestarted();
        return;
      } catch (error) {
        if (!cancelled.signal.aborted) hooks.log(`${unit.name} did not come back: ${reasonOf(error)}`);
      }
    }
  }

  unit.onExit((exit) => {
    if (exit.expected || isRestarting || cancelled.signal.aborted) return;
    restart(exit.ending)
      .catch(() => undefined)
      .finally(() => (isRestarting = false));
  });
  return { cancel: () => cancelled.abort() };
}
