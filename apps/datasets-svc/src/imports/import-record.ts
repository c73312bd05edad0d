import type { ColumnPlan } from './csv-columns.ts';

/**
 * Line of a file, or record of a CSV: a candidate that its schema has not checked yet, a refusal with its reason, or a
 * large record that was not parsed yet.
 */
export type ImportRecord = Candidate | Refusal | LargeRecord;

/** Format in which the text of a record is parsed. */
export type RecordForm = { format: 'jsonl' | 'openai-chat' } | { format: 'csv'; delimiter: string; plan: ColumnPlan };

/** Record that would block the event loop for too long if it were parsed on the main thread. */
export interface LargeRecord {
  line: number;
  text: string;
  form: RecordForm;
  /** Estimated memory of its draft, in bytes. */
  costBytes: number;
}

export interface Candidate {
  /** Line in which it begins. */
  line: number;
  /** `{source?, tags?, payload}`, with the members that the file gives. */
  value: unknown;
  /** Estimated memory, in bytes. */
  costBytes: number;
}

export interface Refusal {
  line: number;
  /** Path of the invalid field; empty for the whole line. */
  path: string;
  reason: string;
}

/** Turns the bytes of a file into records, one after the other; memory does not depend on the size of the file. */
export interface RecordReader {
  /** Number of lines that have ended so far. */
  readonly lineCount: number;
  cut(chunk: Buffer): Iterable<ImportRecord>;
  /** Returns the last record, which has no line end. */
  end(): Iterable<ImportRecord>;
}

/** Field that cannot be parsed; `path` names it. */
export class UnreadableField extends Error {
  override readonly name = 'UnreadableField';
  readonly path: string;

  constructor(path: string, reason: string) {
    super(reason);
    this.path = path;
  }
}
