import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { createFairLimiter, type FairLimiter } from '@clew/kernel';
import { startThread } from '@clew/runtime';
import type { ExampleDraft } from '../examples/index.ts';
import type { DraftOptions } from './draft-record.ts';
import type { LargeRecord, Refusal } from './import-record.ts';

/** Message to the thread; `undefined` ends it. */
export type LargeRecordQuestion = { record: LargeRecord; options: DraftOptions } | undefined;

/** Reads the large records of one import, one at a time. */
export interface LargeRecords {
  draft(record: LargeRecord, options: DraftOptions): Promise<ExampleDraft | Refusal>;
  /** Ends the thread, if one was started. */
  close(): void;
}

/**
 * Limits concurrent reads, because threads take processor time from everything else: two at a time, and one per
 * project.
 */
export function createLargeRecordTurns(): FairLimiter {
  return createFairLimiter({ places: 2, share: 1 });
}

/**
 * Reads records in a thread, so that none blocks the rest of the process. The time and memory of a record are limited
 * by its size and its number of values.
 */
export function createLargeRecords(projectId: string, turns: FairLimiter): LargeRecords {
  let thread: Worker | undefined;

  function started(): Worker {
    if (thread !== undefined) return thread;
    const begun = startThread({ name: 'large-record-thread', parentUrl: import.meta.url });
    const forget = () => {
      if (thread === begun) thread = undefined;
    };
    begun.on('error', forget);
    begun.once('exit', forget);
    thread = begun;
    return begun;
  }

  return {
    draft: (record, options) =>
      turns.run([projectId], async () => {
        const asked = started();
        const answered = once(asked, 'message') as Promise<[ExampleDraft | Refusal]>;
        asked.postMessage({ record, options } satisfies LargeRecordQuestion);
        const [draft] = await answered;
        return draft;
      }),
    close: () => thread?.postMessage(undefined satisfies LargeRecordQuestion),
  };
}
