import { z } from 'zod';
import { hasControlCharacter, idPattern } from '@clew/kernel';
import { ConversationId, EpochMs, pageQuery } from '../common/primitives.ts';
import { ErrorBodySchema } from '../common/error-body.ts';
import { defineRoute } from '../route.ts';
import { DatasetParams, READ_DATASETS, WRITE_DATASETS } from './datasets.ts';
import { ExamplePayload } from './payload.ts';
import { hasSplitForRatio, OfSplit, RATIO_NEEDS_SPLIT, SPLITS } from './splits.ts';

/** Maximum size of the JSON text of one Example, in bytes of UTF-8, from any source. */
export const MAX_EXAMPLE_BYTES = 4 * 1024 * 1024;
export const MAX_BATCH_EXAMPLES = 1_000;

/** Messages that the specification prescribes word for word. */
export const CONVERSATION_ID_IS_REQUIRED = 'source.conversationId is required for conversation sources';
export const LEGACY_FIELDS_ARE_REFUSED = 'Legacy top-level input/expectedOutput/metadata fields are not accepted';
const LEGACY_FIELDS: readonly string[] = ['input', 'expectedOutput', 'metadata'];
const VERBATIM = [CONVERSATION_ID_IS_REQUIRED, LEGACY_FIELDS_ARE_REFUSED] as const;

/** Text that names something, and so must survive storage and comparison unchanged. */
function reference(maxLength: number) {
  return z
    .string()
    .min(1)
    .max(maxLength)
    .refine((text) => text.isWellFormed() && !hasControlCharacter(text), 'must not hold control characters');
}

const TraceIds = z.array(reference(128)).min(1).max(1_000);
const ExternalRef = reference(2_048);
const DerivationKey = reference(512).meta({
  description: 'Groups Examples of one origin; batch and import upsert by it',
});

/** Members that every kind may contain, in the order of RFC 8785 (see payload.ts). */
const sourceOf = <Kind extends string>(kind: Kind) => ({
  conversationId: ConversationId.optional(),
  derivationKey: DerivationKey.optional(),
  externalRef: ExternalRef.optional(),
  kind: z.literal(kind),
  traceIds: TraceIds.optional(),
});

function referenced<Kind extends 'manual' | 'synthetic'>(kind: Kind) {
  return z
    .strictObject(sourceOf(kind))
    .refine(({ externalRef, traceIds }) => externalRef !== undefined || traceIds !== undefined, {
      path: ['externalRef'],
      error: `externalRef or traceIds is required for ${kind} sources`,
    });
}

const isMissing = (value: unknown) => value === undefined || value === null || value === '';

export const SOURCE_KINDS = ['manual', 'conversation', 'import', 'synthetic'] as const;

export const ExampleSource = z
  .discriminatedUnion('kind', [
    referenced('manual'),
    z.strictObject({
      ...sourceOf('conversation'),
      conversationId: z
        .string({ error: ({ input }) => (isMissing(input) ? CONVERSATION_ID_IS_REQUIRED : undefined) })
        .min(1, { error: CONVERSATION_ID_IS_REQUIRED, abort: true })
        .pipe(ConversationId),
      traceIds: TraceIds,
    }),
    z.strictObject({ ...sourceOf('import'), externalRef: ExternalRef }),
    referenced('synthetic'),
  ])
  .meta({ id: 'ExampleSource', example: { kind: 'manual', externalRef: 'case-17' } });
export type ExampleSource = z.infer<typeof ExampleSource>;

/** Maximum number of tags of one Example. */
export const MAX_TAGS = 100;

export const Tags = z
  .array(
    z
      .string()
      .max(200)
      .refine((tag) => tag.trim() !== '' && tag.isWellFormed(), 'must not be empty'),
  )
  .max(MAX_TAGS)
  .refine((tags) => new Set(tags).size === tags.length, {
    error: 'must not hold a tag twice',
    when: ({ value }) => Array.isArray(value),
  });

export const NewExample = z
  .strictObject({ payload: ExamplePayload, source: ExampleSource, tags: Tags.default([]) })
  .meta({ id: 'NewExample' });
export type NewExample = z.infer<typeof NewExample>;

export const ExampleChange = z
  .strictObject(
    { source: ExampleSource.optional(), tags: Tags.optional(), payload: ExamplePayload.optional() },
    {
      error: ({ code, keys }) =>
        code === 'unrecognized_keys' && (keys as string[]).some((key) => LEGACY_FIELDS.includes(key))
          ? LEGACY_FIELDS_ARE_REFUSED
          : undefined,
    },
  )
  .refine((change) => Object.keys(change).length > 0, 'must hold at least one of source, tags and payload');
export type ExampleChange = z.infer<typeof ExampleChange>;

export const Example = z
  .object({
    id: z.string(),
    projectId: z.string(),
    datasetId: z.string(),
    source: ExampleSource,
    tags: z.array(z.string()),
    payload: ExamplePayload,
    version: z.int().min(1).meta({ description: 'The version of the Dataset that made the Example what it is here' }),
    split: z.enum(SPLITS).optional().meta({ description: 'Where the Examples of one split were asked for' }),
    createdAt: EpochMs,
    updatedAt: EpochMs,
  })
  .meta({ id: 'Example' });
export type Example = z.infer<typeof Example>;

/**
 * Handling of an Example whose `derivationKey` the Dataset contains already; without it, the Example is added as
 * another one.
 */
export const ON_CONFLICT = ['skip', 'update', 'fail'] as const;
export const OnConflict = z.enum(ON_CONFLICT).meta({
  description:
    'What happens where the Dataset holds an Example of the same derivationKey: it stays (skip), is replaced (update), or the new one is refused (fail). Without it, both are kept.',
});
export type OnConflict = z.infer<typeof OnConflict>;

/** Version of a Dataset in a query string. */
export const VersionQuery = z
  .string()
  .regex(/^\d{1,15}$/, 'must be a version number')
  .transform(Number)
  .pipe(z.int().min(0).max(999_999_999_999_999));

const ExampleParams = DatasetParams.extend({ exampleId: z.string().regex(idPattern('ex')) });
const AtVersion = { version: VersionQuery.optional().meta({ description: 'As the Dataset was at this version' }) };

export const createExample = defineRoute({
  operationId: 'createExample',
  sdk: 'examples.create',
  service: 'datasets-svc',
  conditional: true,
  method: 'post',
  path: '/v1/projects/:projectId/datasets/:datasetId/examples',
  tag: 'Examples',
  summary: 'Add an Example',
  description:
    'An input with, if there is one, the expected output, a rejected one and a rubric; its `source` tells where it is from.',
  access: WRITE_DATASETS,
  idempotent: true,
  params: DatasetParams,
  body: NewExample,
  verbatimMessages: VERBATIM,
  responses: { 201: Example },
  errors: ['QUOTA_EXCEEDED'],
});

/** Batch of Examples. The service checks each entry: with `partial`, an invalid one does not prevent the others. */
export const ExampleBatch = z.strictObject({
  examples: z
    .array(z.unknown())
    .min(1)
    .max(MAX_BATCH_EXAMPLES)
    .meta({ description: 'Each as in the body of createExample' }),
});

export const createExamples = defineRoute({
  operationId: 'createExamples',
  sdk: 'examples.createMany',
  service: 'datasets-svc',
  method: 'post',
  path: '/v1/projects/:projectId/datasets/:datasetId/examples/batch',
  tag: 'Examples',
  summary: 'Add up to 1,000 Examples at once',
  description:
    'All or nothing (201), or with `partial=true` each on its own (200, an outcome for each). The version of the Dataset grows by one.',
  access: WRITE_DATASETS,
  idempotent: true,
  routeClass: 'batch',
  params: DatasetParams,
  query: z.strictObject({
    partial: z
      .enum(['true', 'false'])
      .transform((text) => text === 'true')
      .default(false),
    onConflict: OnConflict.optional(),
  }),
  body: ExampleBatch,
  responses: {
    200: z.object({
      results: z.array(
        z.object({
          index: z.int(),
          id: z.string().optional(),
          outcome: z.enum(['created', 'updated', 'skipped']).optional(),
          error: ErrorBodySchema.omit({ requestId: true }).optional(),
        }),
      ),
    }),
    201: z.object({ examples: z.array(Example) }),
  },
  errors: ['CONFLICT', 'QUOTA_EXCEEDED'],
});

/** Filters of the current Examples. */
export const EXAMPLE_FILTERS = {
  tag: z.string().min(1).max(200).optional(),
  sourceKind: z.enum(SOURCE_KINDS).optional(),
  conversationId: ConversationId.optional().meta({ description: 'The conversation that it came from' }),
  q: z.string().max(256).trim().min(1).optional().meta({
    description: 'Words that are all among the first of its input and its expected output',
  }),
};

/** Whether a query filters, if at all, the Examples as they are now. */
function isOfNow({ version, split, ...query }: Record<string, unknown>): boolean {
  const isFiltered = Object.keys(EXAMPLE_FILTERS).some((name) => query[name] !== undefined);
  return !isFiltered || (version === undefined && split === undefined);
}

export const listExamples = defineRoute({
  operationId: 'listExamples',
  sdk: 'examples.list',
  service: 'datasets-svc',
  method: 'get',
  path: '/v1/projects/:projectId/datasets/:datasetId/examples',
  tag: 'Examples',
  summary: 'List Examples, newest first',
  description:
    'A page of large Examples, or of a small `split`, may hold fewer than `limit`, or none; only a null `nextCursor` says that it is the last. With `split`, those of one split as in an export, of the version that was current when the first page was read. The filters are of the Examples as they are now.',
  access: READ_DATASETS,
  params: DatasetParams,
  query: z
    .strictObject({ ...pageQuery(1000, 100), ...AtVersion, ...OfSplit, ...EXAMPLE_FILTERS })
    .refine(hasSplitForRatio, RATIO_NEEDS_SPLIT)
    .refine(isOfNow, { error: 'cannot be filtered at a version or within a split', path: ['version'] }),
  responses: { 200: z.object({ examples: z.array(Example), nextCursor: z.string().nullable() }) },
});

export const getExample = defineRoute({
  operationId: 'getExample',
  sdk: 'examples.get',
  service: 'datasets-svc',
  conditional: true,
  method: 'get',
  path: '/v1/projects/:projectId/datasets/:datasetId/examples/:exampleId',
  tag: 'Examples',
  summary: 'Read one Example',
  description: 'The answer carries a strong `ETag`, which a PATCH or DELETE may name in `If-Match`.',
  access: READ_DATASETS,
  params: ExampleParams,
  query: z.strictObject(AtVersion),
  responses: { 200: Example },
});

export const updateExample = defineRoute({
  operationId: 'updateExample',
  sdk: 'examples.update',
  service: 'datasets-svc',
  conditional: true,
  method: 'patch',
  path: '/v1/projects/:projectId/datasets/:datasetId/examples/:exampleId',
  tag: 'Examples',
  summary: 'Replace the source, the tags or the payload of an Example',
  description: 'With `If-Match`, 412 when the Example is no longer what that `ETag` names.',
  access: WRITE_DATASETS,
  params: ExampleParams,
  body: ExampleChange,
  verbatimMessages: VERBATIM,
  responses: { 200: Example },
});

export const deleteExample = defineRoute({
  operationId: 'deleteExample',
  sdk: 'examples.delete',
  service: 'datasets-svc',
  conditional: true,
  method: 'delete',
  path: '/v1/projects/:projectId/datasets/:datasetId/examples/:exampleId',
  tag: 'Examples',
  summary: 'Delete an Example; earlier versions keep it unless it is erased',
  description: 'With `If-Match`, 412 when the Example is no longer what that `ETag` names.',
  access: WRITE_DATASETS,
  params: ExampleParams,
  query: z.strictObject({
    erase: z
      .enum(['true', 'false'])
      .transform((text) => text === 'true')
      .default(false)
      .meta({ description: 'Removes its content from every version; also of an Example that was deleted before' }),
  }),
  responses: { 204: null },
});
