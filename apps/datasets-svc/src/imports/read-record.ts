import { exampleOfCells } from './csv-example.ts';
import { splitRecord } from './csv-fields.ts';
import { UnreadableField, type Candidate, type ImportRecord, type RecordForm, type Refusal } from './import-record.ts';
import { fromOpenAiLine } from './openai-chat.ts';
import { fromOwnLine } from './own-jsonl.ts';
import { parseJsonField } from './parse-json.ts';

/** Length in characters from which a text is large: with the smallest possible members it takes some 50 ms to read. */
export const LARGE_TEXT_LENGTH = 128 * 1024;
/** Memory of the values of a CSV record, as a multiple of its text. */
const COST_OF_CSV_TEXT = 2;
const BYTES_OF_A_VALUE = 32;

/** Reads a record at once, unless its text is large. */
export function recordOf(line: number, text: string, form: RecordForm): ImportRecord {
  return text.length > LARGE_TEXT_LENGTH ? { line, text, form, costBytes: text.length } : readRecord(line, text, form);
}

export function readRecord(line: number, text: string, form: RecordForm): Candidate | Refusal {
  try {
    return { line, ...valueOf(text, form) };
  } catch (error) {
    if (error instanceof UnreadableField) return { line, path: error.path, reason: error.message };
    throw error;
  }
}

function valueOf(text: string, form: RecordForm): Pick<Candidate, 'value' | 'costBytes'> {
  if (form.format === 'csv') {
    // One field more than planned shows that there are too many.
    const cells = splitRecord(text, form.delimiter, form.plan.fields.length + 1);
    return { value: exampleOfCells(cells, form.plan), costBytes: COST_OF_CSV_TEXT * text.length };
  }
  const { value, valueCount } = parseJsonField('', text);
  const toExample = form.format === 'jsonl' ? fromOwnLine : fromOpenAiLine;
  return { value: toExample(value), costBytes: text.length + BYTES_OF_A_VALUE * valueCount };
}
