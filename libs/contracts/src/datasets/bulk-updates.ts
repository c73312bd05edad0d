import { z } from 'zod';
import { ErrorBodySchema } from '../common/error-body.ts';
import { defineRoute } from '../route.ts';
import { DatasetParams, WRITE_DATASETS } from './datasets.ts';
import { Tags } from './examples.ts';

export const MAX_BULK_EXAMPLES = 500;

const ExamplesChange = z
  .strictObject({ addTags: Tags.optional(), removeTags: Tags.optional(), delete: z.literal(true).optional() })
  .refine(
    (change) => (change.delete === undefined) !== (change.addTags === undefined && change.removeTags === undefined),
    'must either delete, or add or remove tags',
  );
export type ExamplesChange = z.infer<typeof ExamplesChange>;

export const updateExamples = defineRoute({
  operationId: 'updateExamples',
  sdk: 'examples.updateMany',
  service: 'datasets-svc',
  method: 'post',
  path: '/v1/projects/:projectId/datasets/:datasetId/examples/bulk-updates',
  tag: 'Examples',
  summary: `Tag or delete up to ${MAX_BULK_EXAMPLES} Examples at once`,
  description:
    'Each with its own outcome, in the order in which they are named; a refused one does not prevent the others. With `version`, an Example that another version made is refused. The version of the Dataset grows by one.',
  access: WRITE_DATASETS,
  idempotent: true,
  params: DatasetParams,
  body: z.strictObject({
    examples: z
      .array(z.strictObject({ exampleId: z.string().max(100), version: z.int().min(1).optional() }))
      .min(1)
      .max(MAX_BULK_EXAMPLES)
      .refine(
        (examples) => new Set(examples.map(({ exampleId }) => exampleId)).size === examples.length,
        'must not name an Example twice',
      ),
    change: ExamplesChange,
  }),
  responses: {
    200: z.object({
      results: z.array(
        z.object({
          exampleId: z.string(),
          outcome: z.enum(['updated', 'deleted', 'unchanged', 'refused']),
          version: z.int().min(1).optional().meta({ description: 'The version that made it what it is now' }),
          error: ErrorBodySchema.omit({ requestId: true }).optional().meta({ description: 'Why it was refused' }),
        }),
      ),
    }),
  },
});
