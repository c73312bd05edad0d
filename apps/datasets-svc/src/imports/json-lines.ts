import { LineCutter, type Line } from '@clew/kernel';
import type { ImportRecord, RecordForm, RecordReader } from './import-record.ts';
import { recordOf } from './read-record.ts';

const BLANK = /^\s*$/;

/** Reads a file with one JSON value per line; empty lines are skipped. */
export class JsonLinesReader implements RecordReader {
  readonly #lines: LineCutter;
  readonly #form: RecordForm;

  constructor(maxLineBytes: number, format: 'jsonl' | 'openai-chat') {
    this.#lines = new LineCutter(maxLineBytes);
    this.#form = { format };
  }

  get lineCount(): number {
    return this.#lines.lineCount;
  }

  *cut(chunk: Buffer): Generator<ImportRecord> {
    for (const line of this.#lines.cut(chunk)) yield* this.#read(line);
  }

  *end(): Generator<ImportRecord> {
    for (const line of this.#lines.end()) yield* this.#read(line);
  }

  *#read(line: Line): Generator<ImportRecord> {
    if ('refusal' in line) yield { line: line.number, path: '', reason: line.refusal };
    else if (!BLANK.test(line.text)) yield recordOf(line.number, line.text, this.#form);
  }
}
