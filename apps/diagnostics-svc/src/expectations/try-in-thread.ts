import { once } from 'node:events';
import type { ExpectationCheck, ExpectationDryRun } from '@clew/contracts';
import { startThread } from '@clew/runtime';

export type BrokenExample = ExpectationDryRun['examples'][number];

/** Answer of a thread about a snapshot, or that it could not read the snapshot. */
export type TriedSnapshot = { isRead: true; example: BrokenExample | undefined } | { isRead: false };

/** Tries a check on snapshots one after another, as the warehouse sent them. */
export interface TryingThread {
  /** Rejects once the signal is aborted, or the thread has ended. */
  try(snapshotJson: Uint8Array<ArrayBuffer>, signal: AbortSignal): Promise<TriedSnapshot>;
  /** Resolves once the thread has finished its current snapshot and ended. */
  end(): Promise<void>;
}

/**
 * Starts a thread that tries a check. Parsing a snapshot of megabytes, and searching for values in it, would block the
 * event loop for too long.
 */
export function startTrying(check: ExpectationCheck): TryingThread {
  const thread = startThread({ name: 'dry-run-thread', parentUrl: import.meta.url, workerData: { check } });
  const exited = once(thread, 'exit').then(() => Promise.reject(new Error('The thread has ended')));
  // The race in `try` reports the end of the thread; this handler only prevents an unhandled rejection between calls.
  exited.catch(() => undefined);
  return {
    async try(snapshotJson, signal) {
      const answered = once(thread, 'message', { signal });
      thread.postMessage(snapshotJson, [snapshotJson.buffer]);
      const [tried] = (await Promise.race([answered, exited])) as [TriedSnapshot];
      return tried;
    },
    end() {
      thread.postMessage(null);
      return exited.catch(() => undefined);
    },
  };
}
