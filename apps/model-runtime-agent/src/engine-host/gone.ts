import { setTimeout as sleep } from 'node:timers/promises';
import { startTimeOf } from './identity.ts';

const POLL_MS = 10;
const TIMEOUT_MS = 5_000;

/** Waits until killed processes have ended; the kernel takes a moment, longer if they hold much memory. */
export async function eventuallyGone(pids: readonly number[]): Promise<void> {
  const deadlineMs = Date.now() + TIMEOUT_MS;
  while (pids.some((pid) => startTimeOf(pid) !== undefined)) {
    if (Date.now() > deadlineMs) throw new Error(`Processes ${pids.join(', ')} do not end`);
    await sleep(POLL_MS);
  }
}
