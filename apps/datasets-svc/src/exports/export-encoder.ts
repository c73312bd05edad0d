import type { ExportFormat } from '@clew/contracts';
import type { StoredExample } from '../examples/example.ts';
import { csvEncoder } from './csv-encoder.ts';
import { jsonlEncoder } from './jsonl-encoder.ts';
import { preferenceEncoder, fineTuningEncoder } from './openai-encoder.ts';

/** Writes Examples in one format, a text for each. */
export interface ExportEncoder {
  contentType: string;
  extension: string;
  /** What comes before the first Example. */
  header: string;
  /** Undefined for an Example that the format cannot hold. */
  encode(example: StoredExample): string | undefined;
}

export const ENCODERS: Readonly<Record<ExportFormat, ExportEncoder>> = {
  jsonl: jsonlEncoder,
  csv: csvEncoder,
  'openai-sft': fineTuningEncoder,
  'openai-dpo': preferenceEncoder,
};
