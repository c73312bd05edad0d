import type { CsvDelimiter, CsvMapping } from '@clew/contracts';
import { AppError, type Line } from '@clew/kernel';
import { planColumns } from './csv-columns.ts';
import { splitRecord } from './csv-fields.ts';
import { CsvRecordCutter } from './csv-records.ts';
import type { ImportRecord, RecordForm, RecordReader } from './import-record.ts';
import { LARGE_TEXT_LENGTH, recordOf } from './read-record.ts';

const DELIMITERS: Readonly<Record<CsvDelimiter, string>> = { comma: ',', semicolon: ';', tab: '\t' };

export interface CsvReaderOptions {
  mapping: CsvMapping | undefined;
  delimiter: CsvDelimiter | undefined;
  maxRecordBytes: number;
}

/** Reads a CSV whose first record names its columns; empty lines are skipped. */
export class CsvReader implements RecordReader {
  readonly #records: CsvRecordCutter;
  readonly #delimiter: string;
  readonly #mapping: CsvMapping | undefined;
  #form: RecordForm | undefined;

  constructor({ mapping, delimiter = 'comma', maxRecordBytes }: CsvReaderOptions) {
    this.#delimiter = DELIMITERS[delimiter];
    this.#mapping = mapping;
    this.#records = new CsvRecordCutter(this.#delimiter, maxRecordBytes);
  }

  get lineCount(): number {
    return this.#records.lineCount;
  }

  *cut(chunk: Buffer): Generator<ImportRecord> {
    for (const record of this.#records.cut(chunk)) yield* this.#read(record);
  }

  *end(): Generator<ImportRecord> {
    for (const record of this.#records.end()) yield* this.#read(record);
  }

  *#read(record: Line): Generator<ImportRecord> {
    if ('text' in record && record.text === '') return;
    if (this.#form === undefined) this.#form = this.#formOf(record);
    else if ('refusal' in record) yield { line: record.number, path: '', reason: record.refusal };
    else yield recordOf(record.number, record.text, this.#form);
  }

  #formOf(record: Line): RecordForm {
    if ('refusal' in record) throw new AppError('MALFORMED_BODY', `The header of the file ${record.refusal}`);
    if (record.text.length > LARGE_TEXT_LENGTH) {
      throw new AppError('MALFORMED_BODY', `The header of the file is longer than ${LARGE_TEXT_LENGTH} characters`);
    }
    const names = splitRecord(record.text, this.#delimiter).map(({ text }) => text.trim());
    return { format: 'csv', delimiter: this.#delimiter, plan: planColumns(names, this.#mapping) };
  }
}
