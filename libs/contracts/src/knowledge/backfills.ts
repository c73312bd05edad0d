import { z } from 'zod';
import { EpochMs, pageQuery, ProjectParams } from '../common/primitives.ts';
import { Waiting } from '../common/waiting.ts';
import { DEFAULT_BACKFILL_CONVERSATIONS, MAX_BACKFILL_CONVERSATIONS } from '../diagnostics/rule-backfills.ts';
import { Rejections } from '../messages/knowledge.ts';
import { defineRoute } from '../route.ts';
import { KNOWLEDGE, READ_KNOWLEDGE, WRITE_KNOWLEDGE } from './access.ts';
import { GoalParams } from './goals.ts';

export const NewKnowledgeBackfill = z
  .strictObject({
    startMs: EpochMs,
    endMs: EpochMs,
    maxConversations: z.int().min(1).max(MAX_BACKFILL_CONVERSATIONS).default(DEFAULT_BACKFILL_CONVERSATIONS),
  })
  .refine(({ startMs, endMs }) => startMs < endMs, { path: ['startMs'], message: 'must be smaller than endMs' })
  .meta({ description: 'Ready conversations whose last activity is in the window, both ends inclusive' });
export type NewKnowledgeBackfill = z.infer<typeof NewKnowledgeBackfill>;

export const KNOWLEDGE_BACKFILL_STATES = ['scheduled', 'running', 'completed', 'failed', 'cancelled'] as const;

export const KnowledgeBackfill = z
  .object({
    backfillId: z.string(),
    goalId: z.string(),
    state: z.enum(KNOWLEDGE_BACKFILL_STATES),
    startMs: EpochMs,
    endMs: EpochMs,
    maxConversations: z.int().min(1),
    pagesDone: z.int().min(0),
    conversationsSeen: z.int().min(0),
    conversationsPending: z.int().min(0).meta({ description: 'Seen, and not read to their end' }),
    conversationsFailed: z.int().min(0).meta({ description: 'Given up after several attempts' }),
    itemsCreated: z.int().min(0),
    itemsMerged: z.int().min(0),
    rejectedQuotes: z.int().min(0),
    rejected: Rejections.meta({
      description: 'Those of `rejectedQuotes` by reason; what was rejected before reasons were counted has none',
    }),
    failureReason: z.string().nullable(),
    createdAt: EpochMs,
    endedAt: EpochMs.nullable(),
    waiting: Waiting.optional().meta({ description: 'Of its next conversation, where it is read alone' }),
  })
  .meta({ id: 'KnowledgeBackfill' });
export type KnowledgeBackfill = z.infer<typeof KnowledgeBackfill>;

export const RequestedKnowledgeBackfill = z
  .object({ backfillId: z.string(), scheduled: z.literal(true), maxConversations: z.int().min(1) })
  .meta({ id: 'RequestedKnowledgeBackfill' });
export type RequestedKnowledgeBackfill = z.infer<typeof RequestedKnowledgeBackfill>;

const BACKFILLS = '/v1/projects/:projectId/knowledge/goals/:goalId/backfills';
const BackfillParams = GoalParams.extend({ backfillId: z.string() });

export const createKnowledgeBackfill = defineRoute({
  ...KNOWLEDGE,
  operationId: 'createKnowledgeBackfill',
  sdk: 'knowledge.backfills.create',
  method: 'post',
  path: BACKFILLS,
  summary: 'Extract Knowledge for one goal from the conversations of a time window',
  description:
    'Runs also while automatic extraction is off. The same `Idempotency-Key` for the same goal and window names the same backfill, with the bound that was given first. A goal that is paused or archived is 409, and so is one whose model is not available.',
  access: WRITE_KNOWLEDGE,
  params: GoalParams,
  body: NewKnowledgeBackfill,
  namedByKey: true,
  responses: { 202: RequestedKnowledgeBackfill },
  errors: ['CONFLICT', 'MODEL_UNAVAILABLE'],
});

export const listKnowledgeBackfills = defineRoute({
  ...KNOWLEDGE,
  operationId: 'listKnowledgeBackfills',
  sdk: 'knowledge.backfills.listOfGoal',
  method: 'get',
  path: BACKFILLS,
  summary: 'List the backfills of a goal, newest first',
  description: 'With what each has read, learned, merged and rejected.',
  access: READ_KNOWLEDGE,
  params: GoalParams,
  query: z.strictObject(pageQuery(500, 100)),
  responses: { 200: z.object({ backfills: z.array(KnowledgeBackfill), nextCursor: z.string().nullable() }) },
});

export const listProjectBackfills = defineRoute({
  ...KNOWLEDGE,
  operationId: 'listProjectBackfills',
  sdk: 'knowledge.backfills.list',
  method: 'get',
  path: '/v1/projects/:projectId/knowledge/backfills',
  summary: 'List the backfills of all goals, newest first',
  description: 'A backfill learns from conversations of the past; this is the list over all goals.',
  access: READ_KNOWLEDGE,
  params: ProjectParams,
  query: z.strictObject({ state: z.enum(KNOWLEDGE_BACKFILL_STATES).optional(), ...pageQuery(500, 100) }),
  responses: { 200: z.object({ backfills: z.array(KnowledgeBackfill), nextCursor: z.string().nullable() }) },
});

export const getKnowledgeBackfill = defineRoute({
  ...KNOWLEDGE,
  operationId: 'getKnowledgeBackfill',
  sdk: 'knowledge.backfills.get',
  method: 'get',
  path: `${BACKFILLS}/:backfillId`,
  summary: 'Read how far a backfill has come',
  description:
    'How many conversations it has read, what it has learned, and why quotes were rejected. `state` is `completed`, `failed` or `cancelled` at its end.',
  access: READ_KNOWLEDGE,
  params: BackfillParams,
  ended: { member: 'state', values: ['completed', 'failed', 'cancelled'] },
  responses: { 200: KnowledgeBackfill },
});

export const cancelKnowledgeBackfill = defineRoute({
  ...KNOWLEDGE,
  operationId: 'cancelKnowledgeBackfill',
  sdk: 'knowledge.backfills.cancel',
  method: 'post',
  path: `${BACKFILLS}/:backfillId/cancel`,
  summary: 'End a backfill; what it has found stays',
  description: 'Safe to repeat: one that has ended is answered as it is.',
  access: WRITE_KNOWLEDGE,
  params: BackfillParams,
  responses: { 200: KnowledgeBackfill },
});
