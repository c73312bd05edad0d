import { z } from 'zod';
import { ConversationId, EpochMs, pageQuery } from '../common/primitives.ts';
import { defineRoute } from '../route.ts';
import { COLLECTION_OBJECTIVES, DatasetParams, READ_DATASETS } from './datasets.ts';

/** Signs by which a conversation counts as a success. */
export const SUCCESS_SIGNALS = ['score', 'confirmation', 'closing_tool'] as const;
export type SuccessSignalKind = (typeof SUCCESS_SIGNALS)[number];

/** Reasons for which nothing is collected from a conversation. */
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
] as const;
export type RefusalReason = (typeof REFUSAL_REASONS)[number];

/** Outcomes of the latest look at a conversation. */
export const DECISION_OUTCOMES = ['collected', 'replaced', 'kept', 'stale', 'removed_by_hand', 'refused'] as const;
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
    conversationId: z.string(),
    objective: z.enum(COLLECTION_OBJECTIVES),
    outcome: z.enum(DECISION_OUTCOMES).meta({
      description:
        'kept: a person has changed the Example, which stays as it is. removed_by_hand: a person deleted it, for good. stale: its reason no longer holds',
    }),
    because: z.enum(SUCCESS_SIGNALS).nullable().meta({ description: 'Why it was collected' }),
    reason: z.enum(REFUSAL_REASONS).nullable().meta({ description: 'Why it was refused, or is stale' }),
    exampleIds: z.array(z.string()),
    redacted: z.int().min(0).meta({ description: 'Personal data and secrets that were replaced' }),
    snapshotId: z.string(),
    decidedAt: EpochMs,
  })
  .meta({ id: 'CollectionDecision' });
export type CollectionDecision = z.infer<typeof CollectionDecision>;

export const listCollectionDecisions = defineRoute({
  operationId: 'listCollectionDecisions',
  service: 'datasets-svc',
  method: 'get',
  path: '/v1/projects/:projectId/datasets/:datasetId/collection/decisions',
  tag: 'Datasets',
  summary: 'List what automatic collection decided on conversations, the latest first',
  description: 'Each conversation has one decision for an objective: that of the latest look at it.',
  access: READ_DATASETS,
  params: DatasetParams,
  query: z.strictObject({
    ...pageQuery(1000, 100),
    outcome: z.enum(DECISION_OUTCOMES).optional(),
    reason: z.enum(REFUSAL_REASONS).optional(),
    conversationId: ConversationId.optional(),
  }),
  responses: { 200: z.object({ decisions: z.array(CollectionDecision), nextCursor: z.string().nullable() }) },
});
