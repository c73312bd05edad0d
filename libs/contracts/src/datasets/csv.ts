import { z } from 'zod';
import { parseStrictly } from '@clew/kernel';

/** Columns of a CSV export, in order: the members of an Example by their path. */
export const CSV_COLUMNS = [
  'id',
  'createdAt',
  'updatedAt',
  'source.kind',
  'source.externalRef',
  'source.conversationId',
  'source.traceIds',
  'source.derivationKey',
  'tags',
  'input.type',
  'input.text',
  'input.prompt',
  'input.system',
  'input.instruction',
  'input.context',
  'input.messages',
  'input.tools',
  'input.parallelToolCalls',
  'input.value',
  'expectedOutput.type',
  'expectedOutput.text',
  'expectedOutput.label',
  'expectedOutput.message',
  'expectedOutput.value',
  'rejectedOutput.type',
  'rejectedOutput.text',
  'rejectedOutput.label',
  'rejectedOutput.message',
  'rejectedOutput.value',
  'rubric',
] as const;
export type CsvColumn = (typeof CSV_COLUMNS)[number];

/** Shorter names, for files from other tools. `input` and the outputs take the main text of their type. */
export const CSV_SHORT_FIELDS = [
  'input',
  'expectedOutput',
  'rejectedOutput',
  'kind',
  'externalRef',
  'conversationId',
  'traceIds',
  'derivationKey',
] as const;

/** Fields that a column of an imported CSV may fill. */
export const CSV_FIELDS = [...CSV_COLUMNS, ...CSV_SHORT_FIELDS] as const;
export type CsvField = (typeof CSV_FIELDS)[number];

const MAX_COLUMNS = 1_000;

const Mapping = z
  .record(z.string().max(1_000), z.enum(CSV_FIELDS))
  .refine((mapping) => Object.keys(mapping).length <= MAX_COLUMNS, `must not name more than ${MAX_COLUMNS} columns`)
  .refine((mapping) => new Set(Object.values(mapping)).size === Object.keys(mapping).length, {
    error: 'must not fill a field from two columns',
    when: ({ value }) => typeof value === 'object' && value !== null,
  });
/** Mapping from the name of a column to the field that it fills. */
export type CsvMapping = z.output<typeof Mapping>;

/** Maximum that fits in a URL beside its other parts, if each character takes twelve in percent-encoding. */
const MAX_MAPPING_CHARACTERS = 4_000;

/** Mapping as a query parameter: JSON text. */
export const CsvMappingQuery = z
  .string()
  .max(MAX_MAPPING_CHARACTERS)
  .transform((text, context) => {
    const read = parseStrictly(text, { maxDepth: 1 });
    if ('value' in read) return read.value;
    const [{ path, message }] = read.problems;
    context.addIssue(read.isJson ? `${path}: ${message}` : 'must be a JSON object from column names to fields');
    return z.NEVER;
  })
  .pipe(Mapping)
  .meta({
    description: `Of a CSV: a JSON object from the name of a column to the field that it fills (${CSV_FIELDS.join(', ')}). Columns that it does not name are ignored. Without it the columns must have the names of fields`,
  });
