import { createLease, type Database } from '@clew/persistence';
import { Wakeup, type Logger, type Part } from '@clew/runtime';
import type { SpanMover } from './move-spans.ts';

export interface SpanMoverPartOptions {
  database: Database;
  mover: Pick<SpanMover, 'movePage'>;
  logger: Logger;
}

const LEASE_MS = 30_000;
/** A process of the earlier version may still write, until the rollout is over. */
const LOOK_AGAIN_MS = 60_000;

/** Moves all spans that were stored before there were fragments, page by page; one process at a time. */
export function startSpanMover({ database, mover, logger }: SpanMoverPartOptions): Part {
  const lease = createLease(database, 'span-mover', LEASE_MS);
  const wakeup = new Wakeup();
  let stopping = false;
  let beatAtMs = Date.now();

  async function round(): Promise<number> {
    try {
      return (await lease.acquire()) ? await mover.movePage() : 0;
    } catch (error) {
      logger.warn({ err: error }, 'could not move stored spans');
      return 0;
    }
  }

  async function run(): Promise<void> {
    let total = 0;
    while (!stopping) {
      const moved = await round();
      beatAtMs = Date.now();
      total += moved;
      if (moved > 0) continue;
      if (total > 0) logger.info({ documents: total }, 'stored spans were moved');
      total = 0;
      await wakeup.wait(LOOK_AGAIN_MS);
    }
  }

  const finished = run();
  return {
    name: 'span-mover',
    // It waits for a minute at a time, which is no standstill.
    beatAgeMs: () => Math.max(0, Date.now() - beatAtMs - LOOK_AGAIN_MS),
    async stop() {
      stopping = true;
      wakeup.end();
      await finished;
      await lease.release().catch((error: unknown) => logger.warn({ err: error }, 'could not give the lease back'));
    },
  };
}
