import type { Transaction } from '@clew/persistence';
import type { DatasetKey, ExampleDraft, StoredExample } from './example.ts';

export interface ChangeOptions {
  requestId: string;
  /** How many Examples it is about, so that transactions stay of a size; 1 by default. */
  weight?: number;
}

/** What one change may do to the Examples of a Dataset, in a transaction that it may share with others. */
export interface ExampleWork {
  readonly tx: Transaction;
  readonly key: DatasetKey;
  insert(draft: ExampleDraft): StoredExample;
  /** Gives an Example other content; one that is the same already stays as it is. */
  replace(example: StoredExample, draft: ExampleDraft): StoredExample;
  remove(example: StoredExample): void;
  /** To be awaited before the database is read, so that a read sees what was done before. */
  written(): Promise<void>;
}

/** Has Examples changed together with all that a Dataset keeps of them: its count, content id and version. */
export interface ExampleChanges {
  /** Runs a change, again where its transaction does. Throws NOT_FOUND when there is no such Dataset. */
  change<Result>(
    key: DatasetKey,
    options: ChangeOptions,
    change: (work: ExampleWork) => Promise<Result> | Result,
  ): Promise<Result>;
}
