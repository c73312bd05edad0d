import { z } from 'zod';
import { hasControlCharacter } from '@clew/kernel';
import { defineRoute, streamed } from '../route.ts';
import { DatasetParams, READ_DATASETS, WRITE_DATASETS } from './datasets.ts';
import { CsvMappingQuery } from './csv.ts';
import { Example, OnConflict, VersionQuery } from './examples.ts';
import { hasSplitForRatio, OfSplit, RATIO_NEEDS_SPLIT } from './splits.ts';

export const IMPORT_FORMATS = ['jsonl', 'csv', 'openai-chat'] as const;
export type ImportFormat = (typeof IMPORT_FORMATS)[number];
export const EXPORT_FORMATS = ['jsonl', 'csv', 'openai-sft', 'openai-dpo'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Maximum number of refused lines and near duplicates that are listed; more are only counted. */
export const MAX_REPORTED_LINES = 1_000;

export const RefusedLine = z.object({
  line: z.int().min(1),
  path: z.string().meta({ description: 'The field that is wrong; empty where it is the whole line' }),
  reason: z.string(),
});
export type RefusedLine = z.infer<typeof RefusedLine>;

export const NearDuplicatePair = z.object({
  line: z.int().min(1),
  similarity: z.number().min(0).max(1),
  exampleId: z.string().optional().meta({ description: 'The Example of the Dataset that it resembles' }),
  otherLine: z.int().min(1).optional().meta({ description: 'The earlier line of the file that it resembles' }),
});
export type NearDuplicatePair = z.infer<typeof NearDuplicatePair>;

export const DatasetImportReport = z
  .object({
    imported: z.int().min(0),
    updated: z.int().min(0),
    skipped: z.int().min(0),
    refusedCount: z.int().min(0),
    refused: z.array(RefusedLine).max(MAX_REPORTED_LINES),
    nearDuplicates: z.object({
      count: z
        .int()
        .min(0)
        .meta({ description: 'Lines that resemble another Example; they are imported all the same' }),
      pairs: z.array(NearDuplicatePair).max(MAX_REPORTED_LINES),
      complete: z.boolean().meta({
        description: 'false where there were more Examples to compare with than are held at once; the newest were',
      }),
    }),
  })
  .meta({ id: 'DatasetImportReport' });
export type DatasetImportReport = z.infer<typeof DatasetImportReport>;

/** Separators of the fields of a CSV. */
export const CSV_DELIMITERS = ['comma', 'semicolon', 'tab'] as const;
export type CsvDelimiter = (typeof CSV_DELIMITERS)[number];

const MAX_IMPORT_REF = 1_024;

export const ImportQuery = z
  .strictObject({
    format: z.enum(IMPORT_FORMATS),
    mapping: CsvMappingQuery.optional(),
    delimiter: z.enum(CSV_DELIMITERS).optional().meta({ description: 'Of a CSV; `comma` without it' }),
    onConflict: OnConflict.optional(),
    externalRef: z
      .string()
      .min(1)
      .max(MAX_IMPORT_REF)
      .refine((text) => text.isWellFormed() && !hasControlCharacter(text), 'must not hold control characters')
      .optional()
      .meta({ description: 'Names the origin of lines that name none; `<format>#<line>` without it' }),
  })
  .refine(({ format, mapping }) => mapping === undefined || format === 'csv', {
    path: ['mapping'],
    error: 'is only of use with format=csv',
  })
  .refine(({ format, delimiter }) => delimiter === undefined || format === 'csv', {
    path: ['delimiter'],
    error: 'is only of use with format=csv',
  });
export type ImportQuery = z.infer<typeof ImportQuery>;

export const importExamples = defineRoute({
  operationId: 'importExamples',
  sdk: 'datasets.import',
  service: 'datasets-svc',
  method: 'post',
  path: '/v1/projects/:projectId/datasets/:datasetId/imports',
  tag: 'Dataset transfers',
  summary: 'Import a file: JSONL of this API, CSV, or OpenAI chat fine-tuning JSONL',
  description:
    'The raw file is the body, gzip or not, in UTF-8, or in UTF-16 with a byte order mark. Lines that are wrong are refused one by one and named; the good ones are kept, in batches of up to 1,000, each of which makes a version. With `onConflict`, a line without a `derivationKey` gets one that is made from its content, so that an import can be repeated. In `openai-chat` the last message of the assistant is the expected output and those before it are the input; lines of the preference form (`input`, `preferred_output`, `non_preferred_output`) are taken as well. With an `Idempotency-Key` the same file takes effect once: a repeat gets the first report, and one that follows an import that was broken off goes on after the last line that was kept; another query is 422 at once, another file as soon as it differs.',
  access: WRITE_DATASETS,
  idempotent: true,
  routeClass: 'stream',
  ownBody: { 'application/x-ndjson': null, 'text/csv': null, 'application/octet-stream': null },
  params: DatasetParams,
  query: ImportQuery,
  responses: { 200: DatasetImportReport },
  errors: ['QUOTA_EXCEEDED'],
});

/** Line of an export in the format `jsonl`, which an import takes back. */
export const ExportedExample = Example.pick({
  id: true,
  createdAt: true,
  updatedAt: true,
  payload: true,
  source: true,
  tags: true,
}).meta({
  id: 'ExportedExample',
  description:
    'An Example in the format `jsonl`. Lines of the formats `openai-sft` and `openai-dpo` are those that the fine-tuning API of OpenAI takes instead.',
});

export const ExportQuery = z
  .strictObject({
    format: z.enum(EXPORT_FORMATS).default('jsonl'),
    version: VersionQuery.optional().meta({ description: 'As the Dataset was at this version' }),
    includeStale: z
      .enum(['true', 'false'])
      .transform((text) => text === 'true')
      .default(false)
      .meta({ description: 'Also those that collection has marked with the tag `stale`' }),
    ...OfSplit,
  })
  .refine(hasSplitForRatio, RATIO_NEEDS_SPLIT);
export type ExportQuery = z.infer<typeof ExportQuery>;

export const exportExamples = defineRoute({
  operationId: 'exportExamples',
  sdk: 'datasets.export',
  service: 'datasets-svc',
  method: 'get',
  path: '/v1/projects/:projectId/datasets/:datasetId/export',
  tag: 'Dataset transfers',
  summary: 'Stream all Examples as a file, newest first',
  description:
    'The Dataset as it was when the export began, or at `version`. The headers `x-clew-dataset-version` and `x-clew-content-id` name what is exported; after the body the trailers `x-clew-exported-count` and `x-clew-left-out-count` tell how many Examples it holds, and how many the format cannot hold (the OpenAI formats need an expected output, and preferences a rejected one). An import of the formats jsonl and csv gives the same content id. In a CSV, a text that a spreadsheet would take for a formula begins with an apostrophe, which the import takes away again. A split holds the Examples whose tags (`split:train`, `split:validation`, `split:test`) name it and, with `ratio`, its share of the others. Examples of one conversation or one derivationKey, and near duplicates, are always in the same split: of several that their tags name, in the strictest (test, validation, train).',
  access: READ_DATASETS,
  params: DatasetParams,
  query: ExportQuery,
  routeClass: 'stream',
  responses: { 200: streamed({ 'application/jsonl': ExportedExample, 'text/csv': null }) },
  responseHeaders: {
    'content-disposition': 'Names the file',
    'x-clew-dataset-version': 'The version of the Dataset that is exported',
    'x-clew-content-id': 'The hash over the Examples of that version',
  },
});
