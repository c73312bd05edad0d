import { MAX_REPORTED_LINES, type DatasetImportReport, type NearDuplicatePair } from '@clew/contracts';
import type { WriteOutcome } from '../examples/example.ts';
import type { Refusal } from './import-record.ts';

/** Counts what became of the lines of a file, and keeps the first of those that are to be named. */
export class ImportReport {
  readonly #counts = { imported: 0, updated: 0, skipped: 0 };
  readonly #refused: Refusal[] = [];
  readonly #pairs: NearDuplicatePair[] = [];
  #refusedCount = 0;
  #pairCount = 0;

  refuse(refusal: Refusal): void {
    this.#refusedCount += 1;
    if (this.#refused.length < MAX_REPORTED_LINES) this.#refused.push(refusal);
  }

  wrote(line: number, outcome: WriteOutcome): void {
    if (outcome.status === 'refused') this.refuse({ line, path: 'source.derivationKey', reason: outcome.reason });
    else this.#counts[outcome.status] += 1;
  }

  resembles(pair: NearDuplicatePair): void {
    this.#pairCount += 1;
    if (this.#pairs.length < MAX_REPORTED_LINES) this.#pairs.push(pair);
  }

  toBody(complete: boolean): DatasetImportReport {
    return {
      ...this.#counts,
      refusedCount: this.#refusedCount,
      // Those that the Dataset refuses are known a batch later than those that cannot be read.
      refused: this.#refused.toSorted((left, right) => left.line - right.line),
      nearDuplicates: { count: this.#pairCount, pairs: this.#pairs, complete },
    };
  }
}
