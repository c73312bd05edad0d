import { z } from 'zod';
import { parseStrictly } from '@clew/kernel';

/** The columns that a CSV export has, in their order: the members of an Example by their path. */
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

/** Shorter names, for files that others made. `input` and the outputs take the text that their type is about. */
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

/** What a column of an imported CSV may fill. */
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
/** From the name of a column to the field that it fills. */
export type CsvMapping = z.output<typeof Mapping>;

/** As much as a URL holds, with room for the rest of it, where each character takes twelve. */
const MAX_MAPPING_CHARACTERS = 4_000;

/** The mapping as it stands in a query: JSON text. */
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
