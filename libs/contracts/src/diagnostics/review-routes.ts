import { z } from 'zod';
import { EpochMs, EpochMsQuery, pageQuery, ProjectParams } from '../common/primitives.ts';
import { defineRoute } from '../route.ts';
import { Waiting } from '../common/waiting.ts';
import { READ_FINDINGS } from './findings.ts';
import { ReviewVerdict } from './review.ts';

/** Conversation that a model has read. */
export const Review = z
  .object({
    conversationId: z.string(),
    snapshotId: z.string().meta({ description: 'What was read' }),
    chosenBy: z.enum(['random', 'score', 'all', 'backfill']).meta({ description: 'Why this conversation was read' }),
    wanted: z.string().meta({ description: 'What the user wanted' }),
    verdict: ReviewVerdict,
    failureProbability: z.number().min(0).max(1),
    problemCount: z.int().min(0).meta({ description: 'Problems that stand on exact quotes' }),
    droppedCount: z.int().min(0).meta({ description: 'Problems without exact quotes, or refuted by a second look' }),
    model: z.string(),
    calls: z.int().min(0),
    tokens: z.int().min(0),
    reviewedAt: EpochMs,
  })
  .meta({ id: 'Review' });
export type Review = z.infer<typeof Review>;

export const listReviews = defineRoute({
  operationId: 'listReviews',
  sdk: 'diagnostics.reviews',
  service: 'diagnostics-svc',
  method: 'get',
  path: '/v1/projects/:projectId/diagnostics/reviews',
  tag: 'Findings',
  summary: 'List the conversations that a model has read, the latest first',
  description: 'Each with what the model thinks of it, and how it was chosen.',
  access: READ_FINDINGS,
  params: ProjectParams,
  query: z.strictObject(pageQuery(500, 100)),
  invalidQueryCode: 'INVALID_FILTER',
  responses: {
    200: z.object({
      reviews: z.array(Review),
      nextCursor: z.string().nullable(),
      waiting: Waiting.optional().meta({ description: 'Why the next review of the project was not asked for yet' }),
    }),
  },
});

export const ReviewDay = z
  .object({
    day: z.string().meta({ description: 'UTC, YYYY-MM-DD' }),
    ready: z.int().min(0).meta({ description: 'Conversations that could have been read' }),
    reviewed: z.int().min(0),
    calls: z.int().min(0),
    tokens: z.int().min(0),
  })
  .meta({ id: 'ReviewDay' });
export type ReviewDay = z.infer<typeof ReviewDay>;

export const listReviewDays = defineRoute({
  operationId: 'listReviewDays',
  sdk: 'diagnostics.reviewDays',
  service: 'diagnostics-svc',
  method: 'get',
  path: '/v1/projects/:projectId/diagnostics/review-days',
  tag: 'Findings',
  summary: 'List how many conversations were read a day, and what that cost, newest first',
  description: 'Of the Rule `conversation_review`, with which a model reads whole conversations.',
  access: READ_FINDINGS,
  params: ProjectParams,
  query: z.strictObject(pageQuery(366, 31)),
  invalidQueryCode: 'INVALID_FILTER',
  responses: { 200: z.object({ days: z.array(ReviewDay), nextCursor: z.string().nullable() }) },
});

/** Longest window of a failure rate: a year, which has at most as many reviews as its days allow. */
const MAX_WINDOW_MS = 366 * 24 * 3_600_000;

export const FailureRate = z
  .object({
    rate: z
      .number()
      .min(0)
      .max(1)
      .nullable()
      .meta({ description: 'Estimated share that failed; null without reviews' }),
    low: z.number().min(0).max(1).meta({ description: 'Lower end of the 95% interval' }),
    high: z.number().min(0).max(1).meta({ description: 'Upper end of the 95% interval' }),
    reviewed: z.int().min(0).meta({ description: 'Conversations that were drawn at random and read' }),
    of: z.int().min(0).meta({ description: 'Conversations that they stand for, as estimated' }),
    model: z.string().nullable().meta({ description: 'The model that read the latest of them' }),
  })
  .meta({ id: 'FailureRate' });
export type FailureRate = z.infer<typeof FailureRate>;

export const getFailureRate = defineRoute({
  operationId: 'getFailureRate',
  sdk: 'diagnostics.failureRate',
  service: 'diagnostics-svc',
  method: 'get',
  path: '/v1/projects/:projectId/diagnostics/failure-rate',
  tag: 'Findings',
  summary: 'Estimate the share of failed conversations, with its 95% interval',
  description:
    'From the reviews of conversations that were drawn at random and started in the window, each weighted by the chance that it had.',
  access: READ_FINDINGS,
  params: ProjectParams,
  query: z
    .strictObject({
      startMs: EpochMsQuery.meta({ description: 'Inclusive' }),
      endMs: EpochMsQuery.meta({ description: 'Exclusive' }),
      agent: z.string().min(1).max(200).optional().meta({ description: 'Only conversations in which it speaks' }),
    })
    .refine(({ startMs, endMs }) => startMs < endMs, { path: ['startMs'], message: 'must be earlier than endMs' })
    .refine(({ startMs, endMs }) => endMs - startMs <= MAX_WINDOW_MS, {
      path: ['endMs'],
      message: 'must be at most 366 days later than startMs',
    }),
  invalidQueryCode: 'INVALID_FILTER',
  responses: { 200: FailureRate },
});
