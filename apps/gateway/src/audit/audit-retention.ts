import type { Clock } from '@clew/kernel';
import { Wakeup, type BackgroundTask, type Logger } from '@clew/runtime';
import type { AuditStore } from './audit.store.ts';

export interface AuditRetentionOptions {
  audit: Pick<AuditStore, 'removeBefore'>;
  /** Days for which entries are kept. */
  days: number;
  clock: Clock;
  logger: Logger;
}

const DAY_MS = 24 * 3_600_000;
const LOOK_EVERY_MS = 3_600_000;
const ENTRIES_AT_A_TIME = 1_000;

/**
 * Removes entries once they are older than the retention, some at a time. Replicas that do so at once only find less to
 * remove, and a changed `AUDIT_DAYS` covers all entries from the next start on, which a time of expiry in each would
 * not.
 */
export function startAuditRetention({ logger, ...options }: AuditRetentionOptions): BackgroundTask {
  const wakeup = new Wakeup();
  let isStopping = false;

  async function run(): Promise<void> {
    while (!isStopping) {
      await removeExpired(options, () => isStopping).catch((error: unknown) =>
        logger.warn({ err: error }, 'could not remove old entries of the audit'),
      );
      if (!isStopping) await wakeup.wait(LOOK_EVERY_MS);
    }
  }

  const finished = run();
  return {
    name: 'audit retention',
    async stop() {
      isStopping = true;
      wakeup.end();
      await finished;
    },
  };
}

/** Removes all that has expired; returns the number of entries removed. */
export async function removeExpired(
  { audit, days, clock }: Omit<AuditRetentionOptions, 'logger'>,
  isStopping: () => boolean = () => false,
): Promise<number> {
  const before = clock.now() - days * DAY_MS;
  for (let total = 0; ;) {
    const removed = await audit.removeBefore(before, ENTRIES_AT_A_TIME);
    total += removed;
    if (removed < ENTRIES_AT_A_TIME || isStopping()) return total;
  }
}
