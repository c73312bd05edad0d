import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@clew/runtime';

export interface AwaitServerOptions {
  /** Names the server in the log. */
  server: string;
  logger: Logger;
  /** How long it may be away before the last reason is thrown. */
  waitMs: number;
  /** The longest pause between two attempts; 10,000 by default. */
  maxPauseMs?: number;
}

const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 10_000;

/** Reaches a server that may not be there yet: tries again with growing pauses, and tells each time what is in the way. */
export async function awaitServer<T>(reach: () => Promise<T>, options: AwaitServerOptions): Promise<T> {
  const { server, logger, waitMs, maxPauseMs = MAX_PAUSE_MS } = options;
  const untilMs = Date.now() + waitMs;
  for (let pauseMs = Math.min(FIRST_PAUSE_MS, maxPauseMs); ; pauseMs = Math.min(2 * pauseMs, maxPauseMs)) {
    try {
      return await reach();
    } catch (error) {
      if (Date.now() + pauseMs >= untilMs) throw error;
      logger.warn({ err: error, server, pauseMs }, 'waiting for a server that is not there');
    }
    await sleep(pauseMs);
  }
}
