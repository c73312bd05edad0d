import type { DatasetImportReport } from '@clew/contracts';
import type { Transaction } from '@clew/persistence';
import type { ImportReportState } from './import-report.ts';

/** Progress of an import: all lines up to `line` are done. */
export interface ImportProgress {
  line: number;
  report: ImportReportState;
  /** Hash of the bytes received so far. A repeated file must begin with the same bytes. */
  body: string;
}

/** Memory of an import across attempts with the same `Idempotency-Key`. */
export interface ImportMemory {
  /** Progress of an earlier attempt. */
  readonly progress: ImportProgress | undefined;
  /** True once the file has proven to begin with the same bytes as in that attempt. */
  isKnownFile(): boolean;
  /** Hash of the bytes received so far. */
  mark(): string;
  /** Records the progress; call it in the transaction of each batch. */
  advance(tx: Transaction, progress: ImportProgress): Promise<void>;
  /** Records the final report, which a repeat gets from then on; call it in a transaction at the end. */
  finish(tx: Transaction, report: DatasetImportReport): Promise<void>;
}
