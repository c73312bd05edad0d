import type { ExportFormat } from '@clew/contracts';
import { csvEncoder } from './csv-encoder.ts';
import type { ExportEncoder } from './export-encoder.ts';
import { jsonlEncoder } from './jsonl-encoder.ts';
import { fineTuningEncoder, preferenceEncoder } from './openai-encoder.ts';

export const ENCODERS: Readonly<Record<ExportFormat, ExportEncoder>> = {
  jsonl: jsonlEncoder,
  csv: csvEncoder,
  'openai-sft': fineTuningEncoder,
  'openai-dpo': preferenceEncoder,
};
