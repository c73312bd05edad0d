import { z } from 'zod';
import { EpochMs, pageQuery, ProjectParams } from '../common/primitives.ts';
import { commaList } from '../common/query-lists.ts';
import { defineRoute } from '../route.ts';
import { RuleParams } from './rules.ts';

export const DEFAULT_BACKFILL_CONVERSATIONS = 10_000;
export const MAX_BACKFILL_CONVERSATIONS = 100_000;

export const NewRuleBackfill = z
  .strictObject({
    startMs: EpochMs,
    endMs: EpochMs,
    maxConversations: z.int().min(1).max(MAX_BACKFILL_CONVERSATIONS).default(DEFAULT_BACKFILL_CONVERSATIONS),
  })
  .refine(({ startMs, endMs }) => startMs < endMs, { path: ['startMs'], message: 'must be smaller than endMs' })
  .meta({
    description: 'Conversations whose last activity is in the window, both ends inclusive, the oldest first',
  });
export type NewRuleBackfill = z.infer<typeof NewRuleBackfill>;

export const RULE_BACKFILL_STATES = ['scheduled', 'running', 'completed', 'cancelled', 'failed'] as const;

const ReviewDays = z.int().min(0).meta({
  description:
    'Of conversation_review: days over which the daily limit spreads its reviews and those that wait already',
});

export const RuleBackfill = z
  .object({
    backfillId: z.string(),
    ruleId: z.string(),
    state: z.enum(RULE_BACKFILL_STATES).meta({
      description:
        'completed: its Runs are queued. cancelled: by a person, or the Rule was switched off. failed: given up',
    }),
    startMs: EpochMs,
    endMs: EpochMs,
    maxConversations: z.int().min(1),
    conversationsSeen: z.int().min(0),
    runsQueued: z.int().min(0).meta({ description: 'A Run that a conversation has already is not queued again' }),
    reviewDays: ReviewDays.optional(),
    createdAt: EpochMs,
    endedAt: EpochMs.nullable(),
  })
  .meta({ id: 'RuleBackfill' });
export type RuleBackfill = z.infer<typeof RuleBackfill>;

export const RequestedRuleBackfill = z
  .object({
    backfillId: z.string(),
    scheduled: z.literal(true),
    maxConversations: z.int().min(1),
    runsQueued: z.int().min(0).meta({ description: 'So far: Runs are queued page by page after the answer' }),
    reviewDays: ReviewDays.optional(),
  })
  .meta({ id: 'RequestedRuleBackfill' });
export type RequestedRuleBackfill = z.infer<typeof RequestedRuleBackfill>;

export const createRuleBackfill = defineRoute({
  operationId: 'createRuleBackfill',
  sdk: 'rules.backfills.create',
  service: 'diagnostics-svc',
  method: 'post',
  path: '/v1/projects/:projectId/diagnostics/rules/:ruleId/backfill-requests',
  tag: 'Findings',
  summary: 'Run one Rule on the conversations of a time window',
  description:
    'Runs also while automatic scheduling is off. The same `Idempotency-Key` for the same Rule and window names the same backfill, with the bound that was given first. A Rule that is off is 409.',
  access: { kind: 'caller', scopes: ['diagnostics:write'], permissions: ['project:diagnostics:write'] },
  params: RuleParams,
  body: NewRuleBackfill,
  namedByKey: true,
  invalidQueryCode: 'INVALID_FILTER',
  responses: { 202: RequestedRuleBackfill },
  errors: ['DIAGNOSTIC_RULE_NOT_FOUND', 'CONFLICT', 'DIAGNOSTIC_RULES_UNAVAILABLE'],
});

export const getRuleBackfill = defineRoute({
  operationId: 'getRuleBackfill',
  sdk: 'rules.backfills.get',
  service: 'diagnostics-svc',
  method: 'get',
  path: '/v1/projects/:projectId/diagnostics/rules/:ruleId/backfill-requests/:backfillId',
  tag: 'Findings',
  summary: 'Read how far a backfill of a Rule has come',
  description:
    'How many conversations it has seen, and how many Runs it has queued. `state` is `completed`, `cancelled` or `failed` at its end.',
  access: { kind: 'caller', scopes: ['diagnostics:read'], permissions: ['project:diagnostics:read'] },
  params: RuleParams.extend({ backfillId: z.string() }),
  invalidQueryCode: 'INVALID_FILTER',
  ended: { member: 'state', values: ['completed', 'cancelled', 'failed'] },
  responses: { 200: RuleBackfill },
  errors: ['DIAGNOSTIC_RULE_NOT_FOUND', 'DIAGNOSTIC_RULES_UNAVAILABLE'],
});

const BACKFILLS = '/v1/projects/:projectId/diagnostics/backfill-requests';

const BackfillsQuery = z.strictObject({
  state: commaList(RULE_BACKFILL_STATES).optional(),
  ruleId: z.string().min(1).max(100).optional(),
  ...pageQuery(500, 100),
});
export type RuleBackfillsQuery = z.infer<typeof BackfillsQuery>;

export const listRuleBackfills = defineRoute({
  operationId: 'listRuleBackfills',
  sdk: 'rules.backfills.list',
  service: 'diagnostics-svc',
  method: 'get',
  path: BACKFILLS,
  tag: 'Findings',
  summary: 'List the backfills of all Rules, newest first',
  description: 'A backfill lets a Rule look at conversations of the past.',
  access: { kind: 'caller', scopes: ['diagnostics:read'], permissions: ['project:diagnostics:read'] },
  params: ProjectParams,
  query: BackfillsQuery,
  invalidQueryCode: 'INVALID_FILTER',
  responses: { 200: z.object({ backfills: z.array(RuleBackfill), nextCursor: z.string().nullable() }) },
  errors: ['DIAGNOSTIC_RULES_UNAVAILABLE'],
});

export const cancelRuleBackfill = defineRoute({
  operationId: 'cancelRuleBackfill',
  sdk: 'rules.backfills.cancel',
  service: 'diagnostics-svc',
  method: 'post',
  path: `${BACKFILLS}/:backfillId/cancel`,
  tag: 'Findings',
  summary: 'End a backfill of a Rule; Runs that are queued already stay',
  description: 'Safe to repeat: one that has ended is answered as it is. A page that is under way queues no more.',
  access: { kind: 'caller', scopes: ['diagnostics:write'], permissions: ['project:diagnostics:write'] },
  params: ProjectParams.extend({ backfillId: z.string() }),
  invalidQueryCode: 'INVALID_FILTER',
  responses: { 200: RuleBackfill },
  errors: ['DIAGNOSTIC_RULES_UNAVAILABLE'],
});
