import { z } from 'zod';
import { idPattern } from '@clew/kernel';
import { ConversationId, EpochMs, pageQuery } from '../common/primitives.ts';
import { defineRoute } from '../route.ts';
import { COLLECTION_OBJECTIVES, DatasetParams, READ_DATASETS, WRITE_DATASETS } from './datasets.ts';
import { NewExample } from './examples.ts';

/** Signs by which a conversation counts as a success. */
export const SUCCESS_SIGNALS = ['score', 'confirmation', 'closing_tool'] as const;
export type SuccessSignalKind = (typeof SUCCESS_SIGNALS)[number];

/** Reasons for which a model is asked to write the response that an Example expects. */
export const SYNTHESIS_REASONS = ['confirmed_finding', 'grave_finding', 'user_correction', 'knowledge_item'] as const;
export type SynthesisReason = (typeof SYNTHESIS_REASONS)[number];

/** Reasons for which something is collected. */
export const COLLECTION_REASONS = [...SUCCESS_SIGNALS, ...SYNTHESIS_REASONS] as const;
export type CollectionReason = (typeof COLLECTION_REASONS)[number];

/** Reasons for which nothing is collected from a conversation or an item. */
export const REFUSAL_REASONS = [
  'failing_score',
  'no_success_signal',
  'no_answer',
  'open_problem',
  'likely_failed',
  'not_analysed',
  'conversation_gone',
  'words_expired',
  'conversation_too_long',
  'example_too_large',
  'example_invalid',
  'worker_gave_up',
  'no_grave_problem',
  'no_user_correction',
  'no_step_to_correct',
  'not_active',
  'item_gone',
  'model_declined',
  'model_failed',
  'equal_to_rejected',
  'quotes_not_found',
  'not_grounded',
  'unknown_tool',
  'second_look',
  'collection_off',
] as const;
export type RefusalReason = (typeof REFUSAL_REASONS)[number];

/** Outcomes of the latest look at a conversation or an item. */
export const DECISION_OUTCOMES = [
  'collected',
  'replaced',
  'kept',
  'stale',
  'removed_by_hand',
  'refused',
  'to_synthesize',
] as const;
export type DecisionOutcome = (typeof DECISION_OUTCOMES)[number];

/** Tag of an Example that a Dataset collected by itself. */
export const COLLECTED_TAG = 'collected';
/** Tag of an Example in which personal data or secrets were replaced. */
export const REDACTED_TAG = 'redacted';
/** Tag of a collected Example whose reason no longer holds. */
export const STALE_TAG = 'stale';

export const CollectionDecision = z
  .object({
    id: z.string(),
    conversationId: z.string().nullable().meta({ description: 'null for a Knowledge item' }),
    itemId: z.string().nullable().meta({ description: 'null for a conversation' }),
    objective: z.enum(COLLECTION_OBJECTIVES),
    outcome: z.enum(DECISION_OUTCOMES).meta({
      description:
        'kept: a person has changed the Example, which stays as it is. removed_by_hand: a person deleted it, for good. stale: its reason no longer holds. to_synthesize: a model has yet to write the response',
    }),
    because: z.enum(COLLECTION_REASONS).nullable().meta({ description: 'Why it was collected' }),
    reason: z.enum(REFUSAL_REASONS).nullable().meta({ description: 'Why it was refused, or is stale' }),
    exampleIds: z.array(z.string()),
    redacted: z.int().min(0).meta({ description: 'Personal data and secrets that were replaced' }),
    model: z.string().nullable().meta({ description: 'The model that wrote the response, if one did' }),
    snapshotId: z.string().nullable().meta({ description: 'null for a Knowledge item' }),
    decidedAt: EpochMs,
  })
  .meta({ id: 'CollectionDecision' });
export type CollectionDecision = z.infer<typeof CollectionDecision>;

export const listCollectionDecisions = defineRoute({
  operationId: 'listCollectionDecisions',
  sdk: 'datasets.collection.decisions',
  service: 'datasets-svc',
  method: 'get',
  path: '/v1/projects/:projectId/datasets/:datasetId/collection/decisions',
  tag: 'Datasets',
  summary: 'List what automatic collection decided on conversations and items, the latest first',
  description: 'Each conversation or item has one decision for an objective: that of the latest look at it.',
  access: READ_DATASETS,
  params: DatasetParams,
  query: z.strictObject({
    ...pageQuery(1000, 100),
    outcome: z.enum(DECISION_OUTCOMES).optional(),
    reason: z.enum(REFUSAL_REASONS).optional(),
    conversationId: ConversationId.optional(),
    itemId: z.string().regex(idPattern('kitm')).optional(),
  }),
  responses: { 200: z.object({ decisions: z.array(CollectionDecision), nextCursor: z.string().nullable() }) },
});

/** Conversations that a preview looks at: the latest ones. */
export const MAX_PREVIEWED = 100;
/** Responses that a preview may have a model write. */
export const MAX_PREVIEWED_SYNTHESES = 3;
/** Conversations that one call may have looked at. */
export const MAX_COLLECTED_NOW = 100;

export const WOULD = ['collect', 'synthesize', 'skip'] as const;
const Because = z.enum([...COLLECTION_REASONS, ...REFUSAL_REASONS]);

export const CollectionPreview = z
  .object({
    conversations: z.array(z.object({ conversationId: z.string(), would: z.enum(WOULD), because: Because })),
    items: z
      .array(z.object({ itemId: z.string(), would: z.enum(WOULD), because: Because }))
      .meta({ description: 'Knowledge items, for the objective teach_project_knowledge' }),
    examples: z.array(NewExample).meta({ description: 'Those that a model wrote, if asked for; nothing is stored' }),
  })
  .meta({ id: 'CollectionPreview' });
export type CollectionPreview = z.infer<typeof CollectionPreview>;

export const previewCollection = defineRoute({
  operationId: 'previewCollection',
  sdk: 'datasets.collection.preview',
  service: 'datasets-svc',
  method: 'post',
  path: '/v1/projects/:projectId/datasets/:datasetId/collection/preview',
  tag: 'Datasets',
  summary: 'Tell what the Dataset would collect, and store nothing',
  description:
    'Looks at the latest analysed conversations, or at the latest Knowledge items. No model is called unless `synthesize` asks for responses. What took longer than 30 seconds is left out.',
  access: WRITE_DATASETS,
  params: DatasetParams,
  query: z.strictObject({
    synthesize: z.coerce
      .number()
      .int()
      .min(0)
      .max(MAX_PREVIEWED_SYNTHESES)
      .default(0)
      .meta({ description: 'Responses that the model of the Dataset writes, to look at' }),
  }),
  body: z.strictObject({}),
  responses: { 200: CollectionPreview },
  errors: ['COLLECTION_OFF', 'MODEL_UNAVAILABLE'],
});

export const collectConversations = defineRoute({
  operationId: 'collectConversations',
  sdk: 'datasets.collection.collect',
  service: 'datasets-svc',
  method: 'post',
  path: '/v1/projects/:projectId/datasets/:datasetId/collection/collect',
  tag: 'Datasets',
  summary: 'Have the Dataset look at some conversations now',
  description:
    'They are decided on as if they had just been analysed; the decisions tell what came of it. 409 `COLLECTION_OFF` where the Dataset collects nothing, or nothing from conversations.',
  access: WRITE_DATASETS,
  params: DatasetParams,
  body: z.strictObject({
    conversationIds: z
      .array(ConversationId)
      .min(1)
      .max(MAX_COLLECTED_NOW)
      .refine((ids) => new Set(ids).size === ids.length, 'must not hold a conversation twice'),
  }),
  responses: {
    202: z.object({
      conversationIds: z.array(z.string()).meta({ description: 'Those that are looked at' }),
      unknown: z.array(z.string()).meta({ description: 'Those that the project does not have' }),
    }),
  },
  errors: ['COLLECTION_OFF'],
});
