import type { ColumnPlan } from './csv-columns.ts';

/**
 * One line of a file, or one record of a CSV, as an Example that its schema has not seen yet; or why it is refused. A
 * large one is not read yet.
 */
export type ImportRecord = Candidate | Refusal | LargeRecord;

/** How the text of a record is to be read. */
export type RecordForm = { format: 'jsonl' | 'openai-chat' } | { format: 'csv'; delimiter: string; plan: ColumnPlan };

/** A record whose reading would hold up all others, were it done among them. */
export interface LargeRecord {
  line: number;
  text: string;
  form: RecordForm;
  /** About what it takes in memory, once it is a draft. */
  costBytes: number;
}

export interface Candidate {
  /** Where it begins. */
  line: number;
  /** `{source?, tags?, payload}` as far as the file goes. */
  value: unknown;
  /** About what it takes in memory. */
  costBytes: number;
}

export interface Refusal {
  line: number;
  /** The field that is wrong; empty where it is the whole line. */
  path: string;
  reason: string;
}

/** Turns the bytes of a file into records, one after the other, whatever the size of the file. */
export interface RecordReader {
  /** How many lines have ended so far. */
  readonly lineCount: number;
  cut(chunk: Buffer): Iterable<ImportRecord>;
  /** What came last, without the end of a line. */
  end(): Iterable<ImportRecord>;
}

/** Something of a line that cannot be read; the path is the field's. */
export class UnreadableField extends Error {
  override readonly name = 'UnreadableField';
  readonly path: string;

  constructor(path: string, reason: string) {
    super(reason);
    this.path = path;
  }
}
