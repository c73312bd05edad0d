import { MAX_REPORTED_LINES, type DatasetImportReport, type NearDuplicatePair } from '@clew/contracts';
import type { UpsertOutcome } from '../examples/index.ts';
import type { Refusal } from './import-record.ts';

/** Counts and named lines of a report so far, in a form that survives the process. */
export type ImportReportState = Pick<
  DatasetImportReport,
  'imported' | 'updated' | 'skipped' | 'refusedCount' | 'refused'
> & { pairCount: number; pairs: NearDuplicatePair[] };

/** Limits on the text of one refusal, in characters: an invalid line can hold megabytes. */
const MAX_PATH_LENGTH = 256;
const MAX_REASON_LENGTH = 512;

/** Names of the outcomes in a report, which calls created Examples imported. */
const COUNTED_AS = { created: 'imported', updated: 'updated', skipped: 'skipped' } as const;

/** Counts the outcomes of a file's lines, and keeps the first of those lines that are named. */
export class ImportReport {
  readonly #counts: Record<'imported' | 'updated' | 'skipped', number>;
  readonly #refused: Refusal[];
  readonly #pairs: NearDuplicatePair[];
  #refusedCount: number;
  #pairCount: number;

  constructor(state?: ImportReportState) {
    const { imported = 0, updated = 0, skipped = 0, refused = [], pairs = [] } = state ?? {};
    this.#counts = { imported, updated, skipped };
    this.#refused = [...refused];
    this.#pairs = [...pairs];
    this.#refusedCount = state?.refusedCount ?? 0;
    this.#pairCount = state?.pairCount ?? 0;
  }

  refuse({ line, path, reason }: Refusal): void {
    this.#refusedCount += 1;
    if (this.#refused.length === MAX_REPORTED_LINES) return;
    this.#refused.push({ line, path: cut(path, MAX_PATH_LENGTH), reason: cut(reason, MAX_REASON_LENGTH) });
  }

  wrote(line: number, written: UpsertOutcome): void {
    if (written.outcome === 'refused') this.refuse({ line, path: 'source.derivationKey', reason: written.reason });
    else this.#counts[COUNTED_AS[written.outcome]] += 1;
  }

  resembles(pair: NearDuplicatePair): void {
    this.#pairCount += 1;
    if (this.#pairs.length < MAX_REPORTED_LINES) this.#pairs.push(pair);
  }

  /** Copy of the state; later reports do not change it. */
  state(): ImportReportState {
    return {
      ...this.#counts,
      ...{ refusedCount: this.#refusedCount, refused: [...this.#refused] },
      ...{ pairCount: this.#pairCount, pairs: [...this.#pairs] },
    };
  }

  toBody(complete: boolean): DatasetImportReport {
    return {
      ...this.#counts,
      refusedCount: this.#refusedCount,
      // Sorted, because the Dataset's refusals arrive a batch later than those of the parser.
      refused: this.#refused.toSorted((left, right) => left.line - right.line),
      nearDuplicates: { count: this.#pairCount, pairs: this.#pairs, complete },
    };
  }
}

function cut(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength - 1).toWellFormed()}…`;
}
