import { z } from 'zod';
import { idPattern } from '@clew/kernel';
import { EpochMs, pageQuery, Name, ProjectParams, textOf } from '../common/primitives.ts';
import { ModelName } from '../models/model-name.ts';
import { defineRoute } from '../route.ts';

export const COLLECTION_OBJECTIVES = [
  'preserve_successful_behavior',
  'correct_failed_conversations',
  'learn_from_user_corrections',
  'teach_project_knowledge',
] as const;
export type CollectionObjective = (typeof COLLECTION_OBJECTIVES)[number];

/** Objectives that look at conversations; the other one looks at Knowledge items. */
export const OBJECTIVES_FROM_CONVERSATIONS: readonly CollectionObjective[] = COLLECTION_OBJECTIVES.filter(
  (objective) => objective !== 'teach_project_knowledge',
);

export const COLLECTION_STATUSES = ['off', 'ready', 'setup_required'] as const;
export type CollectionStatus = (typeof COLLECTION_STATUSES)[number];

export const COLLECTED_REDACTIONS = ['on', 'off'] as const;
/** Whether personal data and secrets are replaced in what a Dataset collects by itself. */
export type CollectedRedaction = (typeof COLLECTED_REDACTIONS)[number];

/** Messages that the specification prescribes word for word. */
export const SCHEMA_MUST_BE_CHAT_V1 = 'schema must be chat/v1';
const SCHEMA_IS_IMMUTABLE = 'schema cannot be changed';

const MAX_GOAL_IDS = 1_000;

export const DatasetSchema = z
  .strictObject(
    {
      type: z.literal('chat', { error: SCHEMA_MUST_BE_CHAT_V1 }),
      version: z.literal(1, { error: SCHEMA_MUST_BE_CHAT_V1 }),
    },
    { error: SCHEMA_MUST_BE_CHAT_V1 },
  )
  .meta({ id: 'DatasetSchema' });

const CollectionFilters = z.strictObject({
  knowledgeGoalIds: z
    .array(z.string().regex(/^[\w.:-]{1,128}$/, 'must be a goal id'))
    .max(MAX_GOAL_IDS)
    .refine((ids) => new Set(ids).size === ids.length, 'must not hold a goal twice')
    .optional()
    .meta({ description: 'Narrows the objective teach_project_knowledge' }),
});
export type CollectionFilters = z.infer<typeof CollectionFilters>;

export const CollectionPolicy = z
  .object({
    objective: z.enum(COLLECTION_OBJECTIVES),
    revision: z.string().meta({ description: 'Managed by the server; changes with every change of the policy' }),
    model: z.string().optional(),
    filters: CollectionFilters.optional(),
  })
  .meta({ id: 'CollectionPolicy' });
export type CollectionPolicy = z.infer<typeof CollectionPolicy>;

/** Conversations that are looked at afterwards when a Dataset begins to collect again. */
export const CollectionCatchUp = z.strictObject({
  days: z.int().min(1).max(90).meta({ description: 'Conversations of so many last days' }),
  conversations: z.int().min(1).max(10_000).meta({ description: 'At most so many of them, the latest first' }),
});
export type CollectionCatchUp = z.infer<typeof CollectionCatchUp>;

/** Catch-up of a Dataset that says nothing else. */
export const DEFAULT_CATCH_UP: CollectionCatchUp = { days: 7, conversations: 1_000 };
/** Responses that models write for a Dataset in a day (UTC) if it says nothing else. */
export const DEFAULT_DAILY_SYNTHESES = 100;

const CatchUp = CollectionCatchUp.nullable().meta({
  description: 'What is looked at when collection is switched on again; null: only what comes from then on',
});
const DailySyntheses = z.int().min(0).max(10_000).meta({
  description: 'Responses that models may be asked for in a day (UTC) to fill the Dataset',
});

const Redaction = z.enum(COLLECTED_REDACTIONS).meta({
  description: 'Whether personal data and secrets are replaced in what the Dataset collects by itself',
});

export const Dataset = z
  .object({
    id: z.string(),
    projectId: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    schema: DatasetSchema,
    collectionPolicy: CollectionPolicy.nullable(),
    collectionEnabled: z.boolean(),
    collectionStatus: z.enum(COLLECTION_STATUSES),
    blockedReason: z.string().nullable(),
    collectedRedaction: Redaction,
    collectionCatchUp: CatchUp,
    dailySyntheses: DailySyntheses,
    exampleCount: z.int().min(0),
    version: z.int().min(0).meta({ description: 'Grows with every change of the Examples; 0 is the empty Dataset' }),
    contentId: z.string().meta({ description: 'Derived from the Examples alone; equal content has an equal id' }),
    createdAt: EpochMs,
    updatedAt: EpochMs,
  })
  .meta({ id: 'Dataset' });
export type Dataset = z.infer<typeof Dataset>;

const DatasetDescription = textOf(10_000).nullable();
const Objective = z.enum(COLLECTION_OBJECTIVES);
export const NewDataset = z.strictObject({
  name: Name,
  description: DatasetDescription.optional(),
  schema: DatasetSchema,
  collectionObjective: Objective.nullish(),
  collectionModel: ModelName.nullish(),
  collectionEnabled: z.boolean().default(true),
  collectionFilters: CollectionFilters.nullish(),
  collectedRedaction: Redaction.default('on'),
  collectionCatchUp: CatchUp.optional().meta({
    description: 'If it is given, the catch-up begins at once; else collection begins with what comes from now on',
  }),
  dailySyntheses: DailySyntheses.default(DEFAULT_DAILY_SYNTHESES),
});
export type NewDataset = z.infer<typeof NewDataset>;

export const DatasetChange = z
  .strictObject(
    {
      name: Name.optional(),
      description: DatasetDescription.optional(),
      collectionObjective: Objective.nullish().meta({ description: 'null removes the policy' }),
      collectionModel: ModelName.nullish().meta({ description: 'null returns to the default' }),
      collectionEnabled: z.boolean().optional(),
      collectionFilters: CollectionFilters.nullish().meta({ description: 'null removes the filters' }),
      collectedRedaction: Redaction.optional(),
      collectionCatchUp: CatchUp.optional(),
      dailySyntheses: DailySyntheses.optional(),
    },
    {
      error: ({ code, keys }) =>
        code === 'unrecognized_keys' && (keys as string[]).includes('schema') ? SCHEMA_IS_IMMUTABLE : undefined,
    },
  )
  .refine((change) => Object.keys(change).length > 0, 'must hold at least one field');
export type DatasetChange = z.infer<typeof DatasetChange>;

export const READ_DATASETS = {
  kind: 'caller',
  scopes: ['workspace:read'],
  permissions: ['project:data:read'],
} as const;
export const WRITE_DATASETS = {
  kind: 'caller',
  scopes: ['models:manage'],
  permissions: ['project:data:write'],
} as const;

export const DatasetParams = ProjectParams.extend({ datasetId: z.string().regex(idPattern('dst')) });

export const createDataset = defineRoute({
  operationId: 'createDataset',
  sdk: 'datasets.create',
  service: 'datasets-svc',
  conditional: true,
  method: 'post',
  path: '/v1/projects/:projectId/datasets',
  tag: 'Datasets',
  summary: 'Make a Dataset',
  description:
    'A Dataset holds Examples of one schema, for training and evaluation. Each change makes a version, which stays readable.',
  access: WRITE_DATASETS,
  idempotent: true,
  params: ProjectParams,
  body: NewDataset,
  verbatimMessages: [SCHEMA_MUST_BE_CHAT_V1],
  responses: { 201: Dataset },
});

const DatasetsQuery = z.strictObject({
  q: z
    .string()
    .max(200)
    .trim()
    .min(1)
    .optional()
    .meta({ description: 'Words that begin words of its name, in any case' }),
  collectionStatus: z.enum(COLLECTION_STATUSES).optional(),
  ...pageQuery(1000, 100),
});
export type DatasetsQuery = z.infer<typeof DatasetsQuery>;

export const listDatasets = defineRoute({
  operationId: 'listDatasets',
  sdk: 'datasets.list',
  service: 'datasets-svc',
  method: 'get',
  path: '/v1/projects/:projectId/datasets',
  tag: 'Datasets',
  summary: 'List Datasets, newest first',
  description:
    'With a filter, a page may hold fewer than `limit`, or none; only a null `nextCursor` says that it is the last.',
  access: READ_DATASETS,
  params: ProjectParams,
  query: DatasetsQuery,
  responses: { 200: z.object({ datasets: z.array(Dataset), nextCursor: z.string().nullable() }) },
});

export const getDataset = defineRoute({
  operationId: 'getDataset',
  sdk: 'datasets.get',
  service: 'datasets-svc',
  conditional: true,
  method: 'get',
  path: '/v1/projects/:projectId/datasets/:datasetId',
  tag: 'Datasets',
  summary: 'Read one Dataset',
  description:
    'The answer carries an `ETag`, which a PATCH may name in `If-Match`; it does not cover `collectionStatus` and `blockedReason`, which follow the model.',
  access: READ_DATASETS,
  params: DatasetParams,
  responses: { 200: Dataset },
});

export const updateDataset = defineRoute({
  operationId: 'updateDataset',
  sdk: 'datasets.update',
  service: 'datasets-svc',
  conditional: true,
  method: 'patch',
  path: '/v1/projects/:projectId/datasets/:datasetId',
  tag: 'Datasets',
  summary: 'Change a Dataset; its schema cannot change',
  description: 'With `If-Match`, 412 when the Dataset is no longer what that `ETag` names.',
  access: WRITE_DATASETS,
  params: DatasetParams,
  body: DatasetChange,
  verbatimMessages: [SCHEMA_IS_IMMUTABLE],
  responses: { 200: Dataset },
});

export const deleteDataset = defineRoute({
  operationId: 'deleteDataset',
  sdk: 'datasets.delete',
  service: 'datasets-svc',
  conditional: true,
  method: 'delete',
  path: '/v1/projects/:projectId/datasets/:datasetId',
  tag: 'Datasets',
  summary: 'Delete a Dataset with its Examples and versions',
  description:
    'It is hidden at once. 204 when everything is gone, 202 while the removal of a large Dataset still runs; asking again is safe and tells how far it is.',
  access: WRITE_DATASETS,
  params: DatasetParams,
  responses: { 202: z.object({ id: z.string(), status: z.literal('deleting') }), 204: null },
});
