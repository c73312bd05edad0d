import { z } from 'zod';
import { Count, commaList, countsBy, MAX_COUNTED } from '../common/counts.ts';
import { defineRoute } from '../route.ts';
import { DatasetParams, READ_DATASETS } from './datasets.ts';
import { EXAMPLE_FILTERS } from './examples.ts';

export const COUNTED_OF_EXAMPLES = ['tag', 'sourceKind', 'split'] as const;
export type CountedOfExamples = (typeof COUNTED_OF_EXAMPLES)[number];

/** Maximum number of tags that are counted: those that the most Examples have. */
export const MAX_COUNTED_TAGS = 100;

const ExampleCountQuery = z.strictObject({
  ...EXAMPLE_FILTERS,
  by: commaList(COUNTED_OF_EXAMPLES)
    .optional()
    .meta({
      description:
        'Fields by whose values they are counted too, separated by commas. An Example counts for each of its tags; ' +
        '`split` counts those whose tags name one.',
    }),
});
export type ExampleCountQuery = z.infer<typeof ExampleCountQuery>;

export const countExamples = defineRoute({
  operationId: 'countExamples',
  sdk: 'examples.count',
  service: 'datasets-svc',
  method: 'get',
  path: '/v1/projects/:projectId/datasets/:datasetId/examples/counts',
  tag: 'Examples',
  summary: 'Count the Examples as they are now, with the filters of the list',
  description: `Exact up to ${MAX_COUNTED.toLocaleString('en')}, and up to some thousand that are looked at where several filters are combined; beyond it says \`atLeast\`. Tags are found in the newest ${(4_000).toLocaleString('en')} Examples: the ${MAX_COUNTED_TAGS} that most of them have.`,
  access: READ_DATASETS,
  params: DatasetParams,
  query: ExampleCountQuery,
  responses: { 200: z.object({ total: Count, counts: countsBy(COUNTED_OF_EXAMPLES, z.string()) }) },
});
