import { z } from 'zod';
import { EpochMs, pageQuery } from '../common/primitives.ts';
import { defineRoute } from '../route.ts';
import { DatasetParams, READ_DATASETS } from './datasets.ts';
import { Example, VersionQuery } from './examples.ts';

export const DatasetVersion = z
  .object({
    version: z.int().min(0),
    contentId: z.string().meta({ description: 'Derived from the Examples alone, the same on any deployment' }),
    exampleCount: z.int().min(0),
    createdAt: EpochMs,
  })
  .meta({ id: 'DatasetVersion' });
export type DatasetVersion = z.infer<typeof DatasetVersion>;

export const VersionChange = z
  .object({
    exampleId: z.string(),
    change: z.enum(['added', 'updated', 'removed']),
    version: z.int().min(1).meta({ description: 'The version that made, or removed, what differs' }),
    before: Example.nullable().optional().meta({
      description:
        'With `include=examples`: as it was at `from`; null where it was not there, or has been erased since',
    }),
    after: Example.nullable().optional().meta({ description: 'The same at `to`' }),
  })
  .meta({ id: 'VersionChange' });
export type VersionChange = z.infer<typeof VersionChange>;

/** Maximum number of changes on a page that holds the Examples, too. */
export const MAX_DIFFED_EXAMPLES = 50;

export const listVersions = defineRoute({
  operationId: 'listVersions',
  sdk: 'datasets.versions.list',
  service: 'datasets-svc',
  method: 'get',
  path: '/v1/projects/:projectId/datasets/:datasetId/versions',
  tag: 'Dataset versions',
  summary: 'List the versions of a Dataset, newest first',
  description: 'Each has the number of its Examples and a content id, which is the same wherever the content is.',
  access: READ_DATASETS,
  params: DatasetParams,
  query: z.strictObject(pageQuery(1000, 100)),
  responses: { 200: z.object({ versions: z.array(DatasetVersion), nextCursor: z.string().nullable() }) },
});

export const diffVersions = defineRoute({
  operationId: 'diffVersions',
  sdk: 'datasets.versions.diff',
  service: 'datasets-svc',
  method: 'get',
  path: '/v1/projects/:projectId/datasets/:datasetId/versions/diff',
  tag: 'Dataset versions',
  summary: 'What the Examples of one version have that those of an earlier one have not',
  description:
    'First what was added or updated, then what was removed, each in the order of the versions that did it. What came and went between the two is not listed; what changed and changed back is updated. A page may hold fewer than `limit`. With `include=examples`, each change holds the Example before and after, and a page ends early where they are large.',
  access: READ_DATASETS,
  params: DatasetParams,
  query: z
    .strictObject({
      from: VersionQuery,
      to: VersionQuery,
      include: z.enum(['examples']).optional(),
      ...pageQuery(1000, 100),
      limit: pageQuery(1000, 100)
        .limit.unwrap()
        .optional()
        .meta({ description: `By default 100, or ${MAX_DIFFED_EXAMPLES} with \`include\`, which is then the most` }),
    })
    .refine(({ from, to }) => from <= to, { path: ['from'], error: 'must not be later than to' })
    .refine(({ include, limit = 1 }) => include === undefined || limit <= MAX_DIFFED_EXAMPLES, {
      path: ['limit'],
      error: `must be an integer from 1 to ${MAX_DIFFED_EXAMPLES} with include`,
    }),
  responses: {
    200: z.object({
      from: DatasetVersion,
      to: DatasetVersion,
      changes: z.array(VersionChange),
      nextCursor: z.string().nullable(),
    }),
  },
});
