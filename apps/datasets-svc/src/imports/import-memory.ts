import type { DatasetImportReport } from '@clew/contracts';
import type { Transaction } from '@clew/persistence';
import type { ImportReportState } from './import-report.ts';

/** How far an import has come: all lines up to one of them. */
export interface ImportProgress {
  line: number;
  report: ImportReportState;
  /** The mark of the bytes that had come by then: a file that goes on from there must begin with the same. */
  body: string;
}

/** What an import that may be sent again is known by, from attempt to attempt (`Idempotency-Key`). */
export interface ImportMemory {
  /** How far an attempt before this one has come. */
  readonly progress: ImportProgress | undefined;
  /** True once the file has proved to begin as the one of that attempt did. */
  isKnownFile(): boolean;
  /** The mark of the bytes that have come so far. */
  mark(): string;
  /** To be called in the transaction of each batch. */
  advance(tx: Transaction, progress: ImportProgress): Promise<void>;
  /** To be called in a transaction at the end: from now on a repeat gets this report. */
  finish(tx: Transaction, report: DatasetImportReport): Promise<void>;
}
