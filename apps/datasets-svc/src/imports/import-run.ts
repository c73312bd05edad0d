import { setTimeout as delay } from 'node:timers/promises';
import type { DatasetImportReport, ImportQuery } from '@clew/contracts';
import { AppError } from '@clew/kernel';
import type { Transaction } from '@clew/persistence';
import type { DatasetKey, ExampleDraft, ExampleUpserts, UpsertOutcome } from '../examples/index.ts';
import { draftRecord } from './draft-record.ts';
import type { HeldExamples, Resemblance } from './held-examples.ts';
import type { ImportMemory, ImportProgress } from './import-memory.ts';
import type { Candidate, ImportRecord, LargeRecord, Refusal } from './import-record.ts';
import { ImportReport } from './import-report.ts';
import type { LargeRecords } from './large-records.ts';

export interface ImportRunOptions {
  key: DatasetKey;
  query: ImportQuery;
  requestId: string;
  upserts: ExampleUpserts;
  held: HeldExamples;
  largeRecords: LargeRecords;
  memory?: ImportMemory | undefined;
  /** Whether the sender has gone away, so that waiting makes no sense. */
  isGone(): boolean;
}

/** Records that are written together, with the progress to remember once they are written. */
interface Batch {
  entries: readonly Entry[];
  /**
   * Progress up to the last line that was read when the batch was full; its report includes the refusals up to there.
   */
  reached: ImportProgress | undefined;
}

interface Entry {
  line: number;
  draft: ExampleDraft;
  resemblance: Resemblance | undefined;
}

/**
 * Examples per batch. A larger batch takes less time and more memory: two are held, one being filled and one being
 * written.
 */
export const IMPORT_BATCH_EXAMPLES = 800;
const MAX_BATCH_COST_BYTES = 8 * 1024 * 1024;
/**
 * Cost limit of the records held while the file is unverified: more than one decompressed chunk can hold. A file that
 * exceeds it is not the one of the earlier attempt.
 */
const MAX_UNKNOWN_COST_BYTES = 128 * 1024 * 1024;
/**
 * Time in milliseconds to wait while other changes of the Dataset come first; starting the file anew would be worse.
 */
const PATIENCE_MS = 30_000;
const RETRY_DELAY_MS = 200;

/** Collects the records of one file into batches and writes them, while the next batch is read. */
export class ImportRun {
  readonly #options: ImportRunOptions;
  readonly #report: ImportReport;
  /** Last line that an earlier attempt has completed. */
  readonly #doneLine: number;
  /** Records after that line, held until the file has proven to be the same. */
  #unknown: ImportRecord[] = [];
  #unknownCostBytes = 0;
  #batch: Entry[] = [];
  #batchCostBytes = 0;
  #line = 0;
  #writing: Promise<void> = Promise.resolve();

  constructor(options: ImportRunOptions) {
    const progress = options.memory?.progress;
    this.#options = options;
    this.#report = new ImportReport(progress?.report);
    this.#doneLine = progress?.line ?? 0;
  }

  /**
   * Takes a record. Returns a promise only if the caller must wait, because a batch is full while the previous one is
   * still being written. A promise for each record would cost as much as its checks.
   */
  take(record: ImportRecord): Promise<void> | undefined {
    if (record.line <= this.#doneLine) return undefined;
    if (this.#options.memory?.isKnownFile() === false) {
      this.#keepUnknown(record);
      return undefined;
    }
    if (this.#unknown.length === 0) return this.#takeNext(record);
    return this.#takeUnknown().then(() => this.#takeNext(record));
  }

  /** Writes the remaining records. */
  async finish(): Promise<void> {
    await this.#takeUnknown();
    await this.#flush();
    await this.#writing;
  }

  /** Waits for the batch that is being written, whether it succeeds or fails. */
  async settled(): Promise<void> {
    await this.#writing.catch(() => undefined);
  }

  report(): DatasetImportReport {
    return this.#report.toBody(this.#options.held.isComplete);
  }

  #keepUnknown(record: ImportRecord): void {
    this.#unknownCostBytes += 'reason' in record ? record.reason.length : record.costBytes;
    if (this.#unknownCostBytes > MAX_UNKNOWN_COST_BYTES) {
      throw new AppError('IDEMPOTENCY_KEY_REUSED', 'The Idempotency-Key was used for another request');
    }
    this.#unknown.push(record);
  }

  async #takeUnknown(): Promise<void> {
    if (this.#unknown.length === 0 || this.#options.memory?.isKnownFile() === false) return;
    for (const record of this.#unknown.splice(0)) await this.#takeNext(record);
  }

  /** Takes a record; returns a promise if the caller must wait. */
  #takeNext(record: ImportRecord): Promise<void> | undefined {
    if ('reason' in record) {
      this.#refuse(record);
      return undefined;
    }
    if (this.#batchCostBytes + record.costBytes <= MAX_BATCH_COST_BYTES) return this.#add(record);
    return this.#flush().then(() => this.#add(record));
  }

  #add(record: Candidate | LargeRecord): Promise<void> | undefined {
    const { query, largeRecords } = this.#options;
    if ('value' in record) return this.#addDraft(record, draftRecord(record, query));
    return largeRecords.draft(record, query).then((draft) => this.#addDraft(record, draft));
  }

  #addDraft({ line, costBytes }: Candidate | LargeRecord, draft: ExampleDraft | Refusal): Promise<void> | undefined {
    if ('reason' in draft) {
      this.#refuse(draft);
      return undefined;
    }
    this.#line = line;
    this.#batch.push({ line, draft, resemblance: this.#options.held.compare(line, draft.signature) });
    this.#batchCostBytes += costBytes;
    return this.#batch.length === IMPORT_BATCH_EXAMPLES ? this.#flush() : undefined;
  }

  #refuse(refusal: Refusal): void {
    this.#line = refusal.line;
    this.#report.refuse(refusal);
  }

  async #flush(): Promise<void> {
    await this.#writing;
    if (this.#batch.length === 0) return;
    const { memory } = this.#options;
    const reached = memory && { line: this.#line, report: this.#report.state(), body: memory.mark() };
    const batch = { entries: this.#batch, reached };
    this.#batch = [];
    this.#batchCostBytes = 0;
    this.#writing = this.#write(batch);
    // The next `await` of `#writing` meets the failure; this handler only prevents an unhandled rejection.
    this.#writing.catch(() => undefined);
  }

  async #write(batch: Batch): Promise<void> {
    const outcomes = await this.#patiently(batch);
    record(this.#report, batch.entries, outcomes);
  }

  async #patiently({ entries, reached }: Batch): Promise<readonly UpsertOutcome[]> {
    const { upserts, key, requestId, query, memory, isGone } = this.#options;
    const drafts = entries.map(({ draft }) => draft);
    const remember =
      memory &&
      reached &&
      (async (tx: Transaction, outcomes: readonly UpsertOutcome[]) => {
        const report = new ImportReport(reached.report);
        record(report, entries, outcomes);
        await memory.advance(tx, { ...reached, report: report.state() });
      });
    const startedAtMs = performance.now();
    for (;;) {
      try {
        return await upserts.upsert(key, drafts, { onConflict: query.onConflict, requestId }, remember);
      } catch (error) {
        const isBusy = error instanceof AppError && error.code === 'OVERLOADED';
        if (!isBusy || isGone() || performance.now() - startedAtMs > PATIENCE_MS) throw error;
        await delay(RETRY_DELAY_MS);
      }
    }
  }
}

/** Reports the outcomes of a batch. */
function record(report: ImportReport, entries: readonly Entry[], outcomes: readonly UpsertOutcome[]): void {
  entries.forEach(({ line, resemblance }, index) => {
    const written = outcomes[index] as UpsertOutcome;
    report.wrote(line, written);
    if (resemblance === undefined || written.outcome === 'refused' || written.outcome === 'skipped') return;
    // An Example that is replaced naturally resembles its former content.
    if ('exampleId' in resemblance && resemblance.exampleId === written.example.id) return;
    report.resembles({ line, ...resemblance });
  });
}
