import { CSV_COLUMNS, type CsvColumn, type ExamplePayload, type ExampleSource } from '@clew/contracts';
import { contentOf, type StoredExample } from '../examples/index.ts';
import { escapeFormula } from './csv-formula.ts';
import type { ExportEncoder } from './export-encoder.ts';

const NEWLINE = '\r\n';
const NEEDS_QUOTES = /[",\r\n]/;

/**
 * Writes each member of an Example to its own column, named by its path; an import restores exactly the same Example.
 */
export const csvEncoder: ExportEncoder = {
  contentType: 'text/csv; charset=utf-8; header=present',
  extension: 'csv',
  header: CSV_COLUMNS.join(',') + NEWLINE,
  encode(example) {
    const cells = cellsOf(example);
    const texts = CSV_COLUMNS.map((column) => cells[column]);
    // A text file can hold neither NUL nor lone surrogates.
    if (texts.some((text) => text !== undefined && (text.includes('\0') || !text.isWellFormed()))) return undefined;
    return texts.map(cell).join(',') + NEWLINE;
  },
};

type Cells = Partial<Record<CsvColumn, string | undefined>>;

function cellsOf(example: StoredExample): Cells {
  const { source, tags, payload } = contentOf(example);
  return {
    id: example.id,
    createdAt: String(example.createdAt),
    updatedAt: String(example.updatedAt),
    ...sourceCells(source),
    tags: JSON.stringify(tags),
    ...inputCells(payload.input),
    ...outputCells('expectedOutput', payload.expectedOutput),
    ...outputCells('rejectedOutput', payload.rejectedOutput),
    rubric: json(payload.rubric),
  };
}

function sourceCells(source: ExampleSource): Cells {
  return {
    'source.kind': source.kind,
    'source.externalRef': source.externalRef,
    'source.conversationId': source.conversationId,
    'source.traceIds': json(source.traceIds),
    'source.derivationKey': source.derivationKey,
  };
}

function inputCells(input: ExamplePayload['input']): Cells {
  const type = { 'input.type': input.type };
  switch (input.type) {
    case 'chat':
      return {
        ...type,
        'input.messages': json(input.messages),
        'input.tools': json(input.tools),
        'input.parallelToolCalls': json(input.parallelToolCalls),
      };
    case 'prompt':
      return { ...type, 'input.prompt': input.prompt, 'input.system': input.system };
    case 'instruction':
      return { ...type, 'input.instruction': input.instruction, 'input.context': input.context };
    case 'text':
      return { ...type, 'input.text': input.text };
    case 'json':
      return { ...type, 'input.value': json(input.value) };
  }
}

function outputCells(name: 'expectedOutput' | 'rejectedOutput', output: ExamplePayload['expectedOutput']): Cells {
  if (output === undefined) return {};
  const type = { [`${name}.type`]: output.type };
  switch (output.type) {
    case 'chat_message':
      return { ...type, [`${name}.message`]: json(output.message) };
    case 'text':
      return { ...type, [`${name}.text`]: output.text };
    case 'json':
      return { ...type, [`${name}.value`]: json(output.value) };
    case 'classification':
      return { ...type, [`${name}.label`]: output.label };
  }
}

function json(value: unknown): string | undefined {
  return value === undefined ? undefined : JSON.stringify(value);
}

/** Quotes an empty text, because an empty field means no text. */
function cell(text: string | undefined): string {
  if (text === undefined) return '';
  const safe = escapeFormula(text);
  return safe === '' || NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
