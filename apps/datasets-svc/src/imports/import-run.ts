import { setTimeout as delay } from 'node:timers/promises';
import { MAX_BATCH_EXAMPLES, type DatasetImportReport, type ImportQuery } from '@clew/contracts';
import { AppError } from '@clew/kernel';
import type { HeldExamples, Resemblance } from '../duplicates/held-examples.ts';
import type { DatasetKey, ExampleDraft, ExampleWriter, WriteOutcome } from '../examples/example.ts';
import { draftRecord } from './draft-record.ts';
import type { ImportRecord, Refusal } from './import-record.ts';
import { ImportReport } from './import-report.ts';

export interface ImportRunOptions {
  key: DatasetKey;
  query: ImportQuery;
  requestId: string;
  writer: ExampleWriter;
  held: HeldExamples;
}

interface Entry {
  line: number;
  draft: ExampleDraft;
  resemblance: Resemblance | undefined;
}

/** Two batches are in memory, one that is filled and one that is written. */
const MAX_BATCH_COST_BYTES = 8 * 1024 * 1024;
/** Single changes of the Dataset may come in the way for a while; to begin the file anew would be worse. */
const PATIENCE_MS = 30_000;
const RETRY_DELAY_MS = 200;

/** Gathers the records of one file into batches and has them written, one batch behind what is read. */
export class ImportRun {
  readonly #options: ImportRunOptions;
  readonly #report = new ImportReport();
  #batch: Entry[] = [];
  #batchCostBytes = 0;
  #writing: Promise<void> = Promise.resolve();

  constructor(options: ImportRunOptions) {
    this.#options = options;
  }

  /** Waits where a batch is full and the one before is not written yet. */
  async take(record: ImportRecord): Promise<void> {
    if ('reason' in record) {
      this.refuse(record);
      return;
    }
    const { line, costBytes } = record;
    if (this.#batchCostBytes + costBytes > MAX_BATCH_COST_BYTES) await this.#flush();
    const draft = draftRecord(record, this.#options.query);
    if ('reason' in draft) {
      this.refuse(draft);
      return;
    }
    this.#batch.push({ line, draft, resemblance: this.#options.held.compare(line, draft.signature) });
    this.#batchCostBytes += costBytes;
    if (this.#batch.length === MAX_BATCH_EXAMPLES) await this.#flush();
  }

  refuse(refusal: Refusal): void {
    this.#report.refuse(refusal);
  }

  /** Writes what is left. */
  async finish(): Promise<void> {
    await this.#flush();
    await this.#writing;
  }

  /** Waits for the batch that is being written, whatever becomes of it. */
  async settled(): Promise<void> {
    await this.#writing.catch(() => undefined);
  }

  report(): DatasetImportReport {
    return this.#report.toBody(this.#options.held.isComplete);
  }

  async #flush(): Promise<void> {
    await this.#writing;
    if (this.#batch.length === 0) return;
    const batch = this.#batch;
    this.#batch = [];
    this.#batchCostBytes = 0;
    this.#writing = this.#write(batch);
    // Its failure is met at the next look at it.
    this.#writing.catch(() => undefined);
  }

  async #write(batch: readonly Entry[]): Promise<void> {
    const drafts = batch.map(({ draft }) => draft);
    const outcomes = await this.#patiently(drafts);
    batch.forEach((entry, index) => this.#record(entry, outcomes[index] as WriteOutcome));
  }

  async #patiently(drafts: readonly ExampleDraft[]): Promise<readonly WriteOutcome[]> {
    const { writer, key, requestId, query } = this.#options;
    const startedAtMs = performance.now();
    for (;;) {
      try {
        return await writer.writeBatch(key, drafts, { onConflict: query.onConflict, requestId });
      } catch (error) {
        const isBusy = error instanceof AppError && error.code === 'OVERLOADED';
        if (!isBusy || performance.now() - startedAtMs > PATIENCE_MS) throw error;
        await delay(RETRY_DELAY_MS);
      }
    }
  }

  #record({ line, resemblance }: Entry, outcome: WriteOutcome): void {
    this.#report.wrote(line, outcome);
    if (resemblance === undefined || outcome.status === 'refused' || outcome.status === 'skipped') return;
    // An Example that is replaced resembles what it was.
    if ('exampleId' in resemblance && resemblance.exampleId === outcome.id) return;
    this.#report.resembles({ line, ...resemblance });
  }
}
