import type { CsvField } from '@clew/contracts';
import { unescapeFormula } from '../exports/csv-formula.ts';
import type { ColumnPlan } from './csv-columns.ts';
import type { CsvCell } from './csv-fields.ts';
import { UnreadableField } from './import-record.ts';
import { parseJsonField } from './parse-json.ts';

type Cells = Map<CsvField, string>;

/** Fields whose text is JSON. */
const JSON_FIELDS: ReadonlySet<CsvField> = new Set<CsvField>([
  'input.messages',
  'input.tools',
  'input.parallelToolCalls',
  'input.value',
  'expectedOutput.message',
  'expectedOutput.value',
  'rejectedOutput.message',
  'rejectedOutput.value',
  'rubric',
]);

const SOURCE_FIELDS = ['kind', 'externalRef', 'conversationId', 'derivationKey'] as const;

/** Builds the Example of one CSV record; throws UnreadableField. */
export function exampleOfCells(cells: readonly CsvCell[], plan: ColumnPlan): unknown {
  const given = givenCells(cells, plan);
  const source = sourceOf(given);
  const tags = given.get('tags');
  const [input, expectedOutput, rejectedOutput] = [
    inputOf(given),
    outputOf('expectedOutput', given),
    outputOf('rejectedOutput', given),
  ];
  const rubric = given.get('rubric');
  return {
    ...(source === undefined ? {} : { source }),
    ...(tags === undefined ? {} : { tags: listOf('tags', tags) }),
    payload: {
      ...(input === undefined ? {} : { input }),
      ...(expectedOutput === undefined ? {} : { expectedOutput }),
      ...(rejectedOutput === undefined ? {} : { rejectedOutput }),
      ...(rubric === undefined ? {} : { rubric: parseJsonField('rubric', rubric).value }),
    },
  };
}

function givenCells(cells: readonly CsvCell[], { fields, isExact }: ColumnPlan): Cells {
  if (cells.length > fields.length) {
    throw new UnreadableField('', `has more than ${fields.length} fields, as many as the header has`);
  }
  if (cells.length < fields.length) {
    throw new UnreadableField('', `has ${cells.length} fields where the header has ${fields.length}`);
  }
  const given: Cells = new Map();
  cells.forEach(({ text, isQuoted }, index) => {
    const field = fields[index];
    if (field === undefined || (text === '' && !(isExact && isQuoted))) return;
    given.set(field, isExact ? unescapeFormula(text) : text);
  });
  return given;
}

function sourceOf(given: Cells): object | undefined {
  const members = SOURCE_FIELDS.flatMap((name) => {
    const text = given.get(`source.${name}`) ?? given.get(name);
    return text === undefined ? [] : [[name, text]];
  });
  const traceIds = given.get('source.traceIds') ?? given.get('traceIds');
  if (traceIds !== undefined) members.push(['traceIds', listOf('source.traceIds', traceIds)] as never);
  return members.length === 0 ? undefined : Object.fromEntries(members);
}

function inputOf(given: Cells): unknown {
  const members = membersOf('input', given);
  const main = given.get('input');
  if (members.size === 0 && main === undefined) return undefined;
  const type = members.get('type') ?? inferredInputType(members);
  members.delete('type');
  if (main !== undefined) addMain('input', members, MAIN_OF_INPUT.get(type as string), main);
  return { type, ...Object.fromEntries(members) };
}

function inferredInputType(members: ReadonlyMap<string, unknown>): string {
  if (members.has('messages') || members.has('tools')) return 'chat';
  if (members.has('instruction') || members.has('context')) return 'instruction';
  if (members.has('prompt') || members.has('system')) return 'prompt';
  return members.has('value') ? 'json' : 'text';
}

/** Member that a plain `input` column fills, by input type. */
const MAIN_OF_INPUT: ReadonlyMap<string, string> = new Map([
  ['chat', 'messages'],
  ['prompt', 'prompt'],
  ['instruction', 'instruction'],
  ['text', 'text'],
  ['json', 'value'],
]);

function outputOf(name: 'expectedOutput' | 'rejectedOutput', given: Cells): unknown {
  const members = membersOf(name, given);
  const main = given.get(name);
  if (members.size === 0 && main === undefined) return undefined;
  const type = members.get('type') ?? inferredOutputType(members);
  members.delete('type');
  if (main !== undefined) {
    if (type === 'chat_message') members.set('message', { role: 'assistant', content: main });
    else addMain(name, members, MAIN_OF_OUTPUT.get(type as string), main);
  }
  return { type, ...Object.fromEntries(members) };
}

function inferredOutputType(members: ReadonlyMap<string, unknown>): string {
  if (members.has('message')) return 'chat_message';
  if (members.has('label')) return 'classification';
  return members.has('value') ? 'json' : 'text';
}

const MAIN_OF_OUTPUT: ReadonlyMap<string, string> = new Map([
  ['text', 'text'],
  ['json', 'value'],
  ['classification', 'label'],
]);

function addMain(path: string, members: Map<string, unknown>, member: string | undefined, text: string): void {
  if (member === undefined) return;
  const isJson = member === 'messages' || member === 'value';
  members.set(member, isJson ? parseJsonField(path, text).value : text);
}

/** Members of an input or output that have their own column. */
function membersOf(name: 'input' | 'expectedOutput' | 'rejectedOutput', given: Cells): Map<string, unknown> {
  const members = new Map<string, unknown>();
  for (const [field, text] of given) {
    if (!field.startsWith(`${name}.`)) continue;
    const value = JSON_FIELDS.has(field) ? parseJsonField(`payload.${field}`, text).value : text;
    members.set(field.slice(name.length + 1), value);
  }
  return members;
}

/** List given as JSON, or as texts separated by commas or semicolons. */
function listOf(path: string, text: string): unknown {
  if (text.startsWith('[')) return parseJsonField(path, text).value;
  return text
    .split(/[,;]/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}
