import { once } from 'node:events';
import type { ExpectationCheck, ExpectationDryRun } from '@clew/contracts';
import { startThread } from '@clew/runtime';

export type BrokenExample = ExpectationDryRun['examples'][number];

/** What a thread says of a snapshot; of one that it cannot read nothing. */
export type TriedSnapshot = { isRead: true; example: BrokenExample | undefined } | { isRead: false };

/** Tries a check on snapshots, one after another, as the warehouse sent them. */
export interface TryingThread {
  /** Rejects once the signal is aborted, or the thread has ended. */
  try(snapshotJson: Uint8Array<ArrayBuffer>, signal: AbortSignal): Promise<TriedSnapshot>;
  /** Resolves when it has ended, once it has done what it is at. */
  end(): Promise<void>;
}

/**
 * A thread that tries a check. A snapshot may hold megabytes: to parse it, and to look for values in it, takes longer
 * than others should wait for the event loop.
 */
export function startTrying(check: ExpectationCheck): TryingThread {
  const thread = startThread({ name: 'dry-run-thread', parentUrl: import.meta.url, workerData: { check } });
  const exited = once(thread, 'exit').then(() => Promise.reject(new Error('The thread has ended')));
  // Whoever waits is told; it also ends while nobody does.
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
