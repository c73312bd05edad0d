import { setTimeout as sleep } from 'node:timers/promises';
import type { Lease } from '@clew/persistence';
import type { Logger } from '@clew/runtime';
import type { AvailabilityService } from './availability.service.ts';

export interface AvailabilityLoopOptions {
  availability: Pick<AvailabilityService, 'lookAgain'>;
  /** Held by the one replica that looks. */
  lease: Lease;
  logger: Logger;
  everyMs?: number;
}

const EVERY_MS = 10_000;
const MAX_PER_ROUND = 50;

/** Looks at models again as they become due, so that others hear of a provider that went away or came back. */
export function startAvailabilityLoop(options: AvailabilityLoopOptions): { stop(): Promise<void> } {
  const { availability, lease, logger } = options;
  const stopping = new AbortController();

  async function round(): Promise<void> {
    if (!(await lease.acquire())) return;
    while (!stopping.signal.aborted && (await availability.lookAgain(MAX_PER_ROUND)) === MAX_PER_ROUND)
      await lease.acquire();
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      await round().catch((error: unknown) => logger.warn({ err: error }, 'could not look at models again'));
      await sleep(options.everyMs ?? EVERY_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
    await lease.release().catch(() => undefined);
  }

  const running = run();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
