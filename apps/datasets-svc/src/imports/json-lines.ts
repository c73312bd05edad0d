import { LineCutter, type Line } from '@clew/kernel';
import { UnreadableField, type ImportRecord, type RecordReader } from './import-record.ts';
import { parseJsonField } from './parse-json.ts';

const BYTES_OF_A_VALUE = 32;
const BLANK = /^\s*$/;

/** Reads a file of one JSON value a line; empty lines are passed over. */
export class JsonLinesReader implements RecordReader {
  readonly #lines: LineCutter;
  readonly #toExample: (value: unknown) => unknown;

  /** `toExample` throws UnreadableField for what cannot become one. */
  constructor(maxLineBytes: number, toExample: (value: unknown) => unknown) {
    this.#lines = new LineCutter(maxLineBytes);
    this.#toExample = toExample;
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
    else if (!BLANK.test(line.text)) yield this.#parse(line.number, line.text);
  }

  #parse(line: number, text: string): ImportRecord {
    try {
      const { value, valueCount } = parseJsonField('', text);
      return { line, value: this.#toExample(value), costBytes: text.length + BYTES_OF_A_VALUE * valueCount };
    } catch (error) {
      if (error instanceof UnreadableField) return { line, path: error.path, reason: error.message };
      throw error;
    }
  }
}
