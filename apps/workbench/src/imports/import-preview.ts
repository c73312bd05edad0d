import type { Api } from '@clew/sdk';
import { inputText, outputText } from '../examples/payload-text.ts';
import { csvRecords, delimiterOf, type Delimiter } from './csv.ts';
import { isJsonField, type ImportField, type Mapping } from './import-fields.ts';

export const FORMATS = {
  jsonl: 'JSONL of Clew',
  csv: 'CSV',
  'openai-chat': 'OpenAI fine-tuning, JSONL',
} as const;
export type ImportFormat = keyof typeof FORMATS;
export const FORMAT_IDS = Object.keys(FORMATS) as ImportFormat[];

export const PREVIEW_ROWS = 20;

/** Beginning of a file, as far as it was read. */
export interface FileHead {
  readonly name: string;
  readonly text: string;
  /** Whether there is more of the file than the text. */
  readonly isCut: boolean;
}

/** Row of a preview: what the line would become, or why it would probably be refused. */
export interface PreviewRow {
  readonly line: number;
  readonly input: string;
  readonly expected: string;
  readonly rejected: string;
  readonly tags: string;
  readonly problem?: string;
}

/** Form of a file, by its name and its first line. */
export function formatOf({ name, text }: FileHead): ImportFormat {
  if (/\.(?:csv|tsv)(?:\.gz)?$/i.test(name)) return 'csv';
  const [first = ''] = text.trimStart().split('\n', 1);
  const value = parsed(first).value;
  if (!isObject(value)) return first.startsWith('{') ? 'jsonl' : 'csv';
  return 'messages' in value || 'preferred_output' in value ? 'openai-chat' : 'jsonl';
}

/** Names of the columns of a CSV. */
export function headerOf({ text }: FileHead, delimiter: Delimiter): readonly string[] {
  return csvRecords(text, delimiter, 1).records[0]?.cells ?? [];
}

export function delimiterOfFile({ text }: FileHead): Delimiter {
  return delimiterOf(text);
}

/** First rows of a CSV as the mapping has them. */
export function csvPreview({ text, isCut }: FileHead, delimiter: Delimiter, mapping: Mapping): PreviewRow[] {
  const { records } = csvRecords(text, delimiter, PREVIEW_ROWS + 2);
  const [header, ...rows] = records;
  if (header === undefined) return [];
  // The last record may be cut with the text.
  const whole = isCut && rows.length <= PREVIEW_ROWS ? rows.slice(0, -1) : rows;
  return whole.slice(0, PREVIEW_ROWS).map(({ line, cells }) => {
    const given = new Map<ImportField, string>();
    header.cells.forEach((name, at) => {
      const field = Object.hasOwn(mapping, name) ? mapping[name] : undefined;
      const cell = cells[at] ?? '';
      if (field !== undefined && cell !== '') given.set(field, cell);
    });
    const problem =
      cells.length === header.cells.length
        ? csvProblem(given)
        : `has ${cells.length} fields where the header has ${header.cells.length}`;
    return {
      ...{ line, input: textIn(given, 'input'), tags: given.get('tags') ?? '' },
      ...{ expected: textIn(given, 'expectedOutput'), rejected: textIn(given, 'rejectedOutput') },
      ...(problem === undefined ? {} : { problem }),
    };
  });
}

function csvProblem(given: ReadonlyMap<ImportField, string>): string | undefined {
  for (const [field, text] of given) {
    if (isJsonField(field) && parsed(text).isBad) return `${field} is not JSON`;
  }
  return [...given.keys()].some((field) => field.startsWith('input')) ? undefined : 'no column fills the input';
}

/** Members that show best what an input or output says, the best one first. */
const MAIN_MEMBERS = ['', '.messages', '.prompt', '.instruction', '.text', '.message', '.label', '.value'];

function textIn(given: ReadonlyMap<ImportField, string>, name: 'input' | 'expectedOutput' | 'rejectedOutput'): string {
  const member = MAIN_MEMBERS.find((each) => given.has(`${name}${each}` as ImportField));
  const text = member === undefined ? '' : (given.get(`${name}${member}` as ImportField) ?? '');
  const { value } = parsed(text);
  if (member === '.messages' && Array.isArray(value)) return safely(() => inputText({ type: 'chat', messages: value }));
  if (member === '.message' && isObject(value)) return messageWords(value);
  return text;
}

/** First lines of a file with one Example a line. */
export function linesPreview({ text, isCut }: FileHead, format: 'jsonl' | 'openai-chat'): PreviewRow[] {
  const lines = text.replace(/^\ufeff/, '').split('\n');
  const whole = isCut ? lines.slice(0, -1) : lines;
  return whole
    .map((line, at) => ({ line: at + 1, text: line.trim() }))
    .filter((each) => each.text !== '')
    .slice(0, PREVIEW_ROWS)
    .map((each) => {
      const { value } = parsed(each.text);
      if (!isObject(value)) return { line: each.line, ...NOTHING, problem: 'is not a JSON object' };
      return { line: each.line, ...(format === 'jsonl' ? exampleRow(value) : openAiRow(value)) };
    });
}

const NOTHING = { input: '', expected: '', rejected: '', tags: '' } as const;
type Row = Omit<PreviewRow, 'line'>;

function exampleRow(value: Readonly<Record<string, unknown>>): Row {
  const { payload, tags } = value;
  if (!isObject(payload) || !isObject(payload['input'])) return { ...NOTHING, problem: 'has no payload with an input' };
  const { input, expectedOutput, rejectedOutput } = payload as Partial<Api.ExamplePayload>;
  return {
    input: safely(() => inputText(input as Api.ExampleInput) ?? ''),
    expected: safely(() => outputText(expectedOutput) ?? ''),
    rejected: safely(() => outputText(rejectedOutput) ?? ''),
    tags: Array.isArray(tags) ? tags.join(', ') : '',
  };
}

function openAiRow(value: Readonly<Record<string, unknown>>): Row {
  if ('preferred_output' in value) {
    const { input, preferred_output: good, non_preferred_output: bad } = value;
    const messages = isObject(input) ? input['messages'] : undefined;
    return {
      ...{ input: lastWords(messages, 'user'), tags: '' },
      ...{ expected: lastWords(good, 'assistant'), rejected: lastWords(bad, 'assistant') },
    };
  }
  const { messages } = value;
  if (!Array.isArray(messages)) return { ...NOTHING, problem: 'has no messages' };
  const last: unknown = messages.at(-1);
  const problem =
    isObject(last) && last['role'] === 'assistant' ? undefined : 'does not end with a message of the assistant';
  return {
    ...NOTHING,
    input: lastWords(messages, 'user'),
    expected: lastWords(messages, 'assistant'),
    ...(problem === undefined ? {} : { problem }),
  };
}

function lastWords(messages: unknown, role: string): string {
  if (!Array.isArray(messages)) return '';
  const found: unknown = messages.findLast((message: unknown) => isObject(message) && message['role'] === role);
  return isObject(found) ? messageWords(found) : '';
}

function messageWords(message: Readonly<Record<string, unknown>>): string {
  const { content } = message;
  const calls = message['tool_calls'] ?? message['toolCalls'];
  if (typeof content === 'string' && content !== '') return content;
  return calls === undefined ? JSON.stringify(content ?? '') : JSON.stringify(calls);
}

/** Text of a value that may not be what its place promises; empty where it is not. */
function safely(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}

function parsed(text: string): { readonly value?: unknown; readonly isBad: boolean } {
  try {
    return { value: JSON.parse(text) as unknown, isBad: false };
  } catch {
    return { isBad: true };
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
