import type { Transaction } from '@clew/persistence';
import type { DatasetKey, ExampleDraft, StoredExample } from './example.ts';

export interface ChangeOptions {
  requestId: string;
  /** Number of Examples in the change, which limits the size of transactions; 1 by default. */
  weight?: number;
}

/**
 * Operations that one change may perform on the Examples of a Dataset, in a transaction that it may share with others.
 */
export interface ExampleWork {
  readonly tx: Transaction;
  readonly key: DatasetKey;
  /** Adds an Example, with a new id unless one is given. */
  insert(draft: ExampleDraft, id?: string): StoredExample;
  /** Gives an Example new content; if the content is the same, the Example stays as it is. */
  replace(example: StoredExample, draft: ExampleDraft): StoredExample;
  remove(example: StoredExample): void;
  /** Await this before a read of the database, so that the read sees the earlier operations. */
  written(): Promise<void>;
}

/** Changes Examples together with everything that a Dataset derives from them: its count, content id and version. */
export interface ExampleChanges {
  /** Runs a change, and again if its transaction is run again. Throws NOT_FOUND if there is no such Dataset. */
  change<Result>(
    key: DatasetKey,
    options: ChangeOptions,
    change: (work: ExampleWork) => Promise<Result> | Result,
  ): Promise<Result>;
}
