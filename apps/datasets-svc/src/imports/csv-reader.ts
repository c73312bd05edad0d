import type { CsvDelimiter, CsvMapping } from '@clew/contracts';
import { AppError, type Line } from '@clew/kernel';
import { planColumns, type ColumnPlan } from './csv-columns.ts';
import { exampleOfCells } from './csv-example.ts';
import { splitRecord } from './csv-fields.ts';
import { CsvRecordCutter } from './csv-records.ts';
import { UnreadableField, type ImportRecord, type RecordReader } from './import-record.ts';

const DELIMITERS: Readonly<Record<CsvDelimiter, string>> = { comma: ',', semicolon: ';', tab: '\t' };
/** What is parsed takes about so many times its text. */
const COST_OF_TEXT = 2;

export interface CsvReaderOptions {
  mapping: CsvMapping | undefined;
  delimiter: CsvDelimiter | undefined;
  maxRecordBytes: number;
}

/** Reads a CSV whose first record names its columns; empty lines are passed over. */
export class CsvReader implements RecordReader {
  readonly #records: CsvRecordCutter;
  readonly #delimiter: string;
  readonly #mapping: CsvMapping | undefined;
  #plan: ColumnPlan | undefined;

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
    if (this.#plan === undefined) this.#plan = this.#planOf(record);
    else if ('refusal' in record) yield { line: record.number, path: '', reason: record.refusal };
    else yield parse(record.number, record.text, this.#delimiter, this.#plan);
  }

  #planOf(record: Line): ColumnPlan {
    if ('refusal' in record) throw new AppError('MALFORMED_BODY', `The header of the file ${record.refusal}`);
    const names = splitRecord(record.text, this.#delimiter).map(({ text }) => text.trim());
    return planColumns(names, this.#mapping);
  }
}

function parse(line: number, text: string, delimiter: string, plan: ColumnPlan): ImportRecord {
  try {
    return { line, value: exampleOfCells(splitRecord(text, delimiter), plan), costBytes: COST_OF_TEXT * text.length };
  } catch (error) {
    if (error instanceof UnreadableField) return { line, path: error.path, reason: error.message };
    throw error;
  }
}
