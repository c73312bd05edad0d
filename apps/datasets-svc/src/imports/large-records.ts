import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { startThread } from '@clew/runtime';
import type { ExampleDraft } from '../examples/index.ts';
import type { DraftOptions } from './draft-record.ts';
import type { LargeRecord, Refusal } from './import-record.ts';

/** A question to the thread; none is the end. */
export type LargeRecordQuestion = { record: LargeRecord; options: DraftOptions } | undefined;

/** Reads the large records of one import, one at a time. */
export interface LargeRecords {
  draft(record: LargeRecord, options: DraftOptions): Promise<ExampleDraft | Refusal>;
  /** Lets the thread end, if there was need of one. */
  close(): void;
}

/**
 * Reads records in a thread, so that none holds up what the process does for others. The time and the memory that one
 * takes are bounded by its size and its count of values.
 */
export function createLargeRecords(): LargeRecords {
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
    async draft(record, options) {
      const asked = started();
      const answered = once(asked, 'message') as Promise<[ExampleDraft | Refusal]>;
      asked.postMessage({ record, options } satisfies LargeRecordQuestion);
      const [draft] = await answered;
      return draft;
    },
    close: () => thread?.postMessage(undefined satisfies LargeRecordQuestion),
  };
}
