import { z } from 'zod';
import { defineRoute } from '../route.ts';
import { DatasetParams, READ_DATASETS, WRITE_DATASETS } from './datasets.ts';
import { OnConflict, VersionQuery } from './examples.ts';

export const IMPORT_FORMATS = ['jsonl', 'csv', 'openai-chat'] as const;
export type ImportFormat = (typeof IMPORT_FORMATS)[number];
export const EXPORT_FORMATS = ['jsonl', 'csv', 'openai-sft', 'openai-dpo'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];
export const SPLITS = ['train', 'validation', 'test'] as const;
export type Split = (typeof SPLITS)[number];

/** Refused lines and near duplicates beyond this are counted, not listed. */
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
    }),
  })
  .meta({ id: 'DatasetImportReport' });
export type DatasetImportReport = z.infer<typeof DatasetImportReport>;

export const ImportQuery = z.strictObject({
  format: z.enum(IMPORT_FORMATS),
  mapping: z.string().max(10_000).optional().meta({
    description: 'Of a CSV: a JSON object from the name of a column to the field that it fills',
  }),
  onConflict: OnConflict.optional(),
  externalRef: z.string().min(1).max(1_024).optional().meta({
    description: 'Names the origin of lines that name none; `<format>#<line>` without it',
  }),
});
export type ImportQuery = z.infer<typeof ImportQuery>;

export const importExamples = defineRoute({
  operationId: 'importExamples',
  method: 'post',
  path: '/v1/projects/:projectId/datasets/:datasetId/imports',
  tag: 'Dataset transfers',
  summary: 'Import a file: JSONL of this API, CSV, or OpenAI chat fine-tuning JSONL',
  description:
    'The raw file is the body, gzip or not. Lines that are wrong are refused one by one and named; the good ones are kept.',
  access: WRITE_DATASETS,
  routeClass: 'stream',
  params: DatasetParams,
  query: ImportQuery,
  responses: { 200: DatasetImportReport },
});

/** Whole percentages of train, validation and test. */
export const SplitRatio = z
  .string()
  .regex(/^\d{1,3},\d{1,3},\d{1,3}$/, 'must be three percentages such as 80,10,10')
  .transform((text) => text.split(',').map(Number) as [train: number, validation: number, test: number])
  .refine(([train, validation, test]) => train + validation + test === 100, 'must add up to 100');
export type SplitRatio = z.output<typeof SplitRatio>;

export const ExportQuery = z
  .strictObject({
    format: z.enum(EXPORT_FORMATS).default('jsonl'),
    version: VersionQuery.optional().meta({ description: 'As the Dataset was at this version' }),
    split: z.enum(SPLITS).optional(),
    ratio: SplitRatio.optional().meta({ description: 'Percentages of train, validation and test: 80,10,10' }),
  })
  .refine(({ split, ratio }) => ratio === undefined || split !== undefined, {
    path: ['ratio'],
    error: 'is only of use together with split',
  });
export type ExportQuery = z.infer<typeof ExportQuery>;

export const exportExamples = defineRoute({
  operationId: 'exportExamples',
  method: 'get',
  path: '/v1/projects/:projectId/datasets/:datasetId/export',
  tag: 'Dataset transfers',
  summary: 'Stream all Examples as a file, newest first',
  access: READ_DATASETS,
  params: DatasetParams,
  query: ExportQuery,
  responses: { 200: null },
});
