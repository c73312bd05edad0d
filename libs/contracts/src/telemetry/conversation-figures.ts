import { z } from 'zod';
import { Count, commaList, countsBy, MAX_COUNTED } from '../common/counts.ts';
import { EpochMs, EpochMsQuery, ProjectParams } from '../common/primitives.ts';
import { defineRoute } from '../route.ts';
import { CONVERSATION_FILTERS, READ_CONVERSATIONS } from './conversations.ts';

export const COUNTED_OF_CONVERSATIONS = ['state', 'hasError', 'hasFinding'] as const;
export type CountedOfConversations = (typeof COUNTED_OF_CONVERSATIONS)[number];

const ConversationCountQuery = z.strictObject({
  ...CONVERSATION_FILTERS,
  by: commaList(COUNTED_OF_CONVERSATIONS).optional().meta({
    description: 'Fields by whose values they are counted too, separated by commas',
  }),
});
export type ConversationCountQuery = z.infer<typeof ConversationCountQuery>;

export const countConversations = defineRoute({
  operationId: 'countConversations',
  sdk: 'conversations.count',
  service: 'telemetry-warehouse',
  method: 'get',
  path: '/v1/projects/:projectId/conversations/counts',
  tag: 'Conversations',
  summary: 'Count conversations, with the filters of the list',
  description: `Exact up to ${MAX_COUNTED.toLocaleString('en')}, and up to some thousand that are looked at where several filters are combined; beyond it says \`atLeast\`.`,
  access: READ_CONVERSATIONS,
  params: ProjectParams,
  query: ConversationCountQuery,
  responses: { 200: z.object({ total: Count, counts: countsBy(COUNTED_OF_CONVERSATIONS, z.string()) }) },
});

const HOUR_MS = 3_600_000;
/** Maximum number of intervals of one series. */
export const MAX_SERIES_INTERVALS = 1_000;
const MAX_SERIES_HOURS = 366 * 24;

export const SERIES_OF_CONVERSATIONS = ['agent', 'model'] as const;
export type SeriesOfConversations = (typeof SERIES_OF_CONVERSATIONS)[number];

const Latency = z.number().min(0).nullable();

export const ConversationPoint = z
  .object({
    startMs: EpochMs,
    conversations: z.int().min(0),
    flagged: z.int().min(0).meta({ description: 'Of them, with a Finding' }),
    errors: z.int().min(0).meta({ description: 'Of them, with a failed model call or tool run' }),
    inputTokens: z.int().min(0),
    outputTokens: z.int().min(0),
    latencyP50Ms: Latency.meta({ description: 'Of model calls, to about a tenth; null where none has a duration' }),
    latencyP95Ms: Latency,
  })
  .meta({ id: 'ConversationPoint' });
export type ConversationPoint = z.infer<typeof ConversationPoint>;

export const readConversationSeries = defineRoute({
  operationId: 'readConversationSeries',
  sdk: 'conversations.series',
  service: 'telemetry-warehouse',
  method: 'get',
  path: '/v1/projects/:projectId/conversations/series',
  tag: 'Conversations',
  summary: 'Read how many conversations started when, and how they went',
  description:
    'From hourly figures: an hour belongs to the interval in which it begins. A conversation is counted from its first quiet period on; what is erased or expired is counted no more. Intervals without a conversation are left out.',
  access: READ_CONVERSATIONS,
  params: ProjectParams,
  query: z
    .strictObject({
      startMs: EpochMsQuery,
      endMs: EpochMsQuery.meta({ description: 'Exclusive' }),
      intervalMs: EpochMsQuery.pipe(z.int().min(HOUR_MS).multipleOf(HOUR_MS)).meta({
        description: 'A multiple of an hour',
      }),
      by: z.enum(SERIES_OF_CONVERSATIONS).optional().meta({
        description: 'One series for each of its values; a conversation with several counts in each of them',
      }),
    })
    .refine(({ startMs, endMs }) => startMs < endMs, { path: ['startMs'], message: 'must be earlier than endMs' })
    .refine(({ startMs, endMs }) => endMs - startMs <= MAX_SERIES_HOURS * HOUR_MS, {
      path: ['endMs'],
      message: 'must be at most 366 days after startMs',
    })
    .refine(({ startMs, endMs, intervalMs }) => endMs - startMs <= intervalMs * MAX_SERIES_INTERVALS, {
      path: ['intervalMs'],
      message: `must leave at most ${MAX_SERIES_INTERVALS} intervals`,
    }),
  responses: {
    200: z.object({
      series: z.array(
        z.object({
          value: z.string().nullable().meta({
            description: 'The agent or model; null without `by`, and for all that are not told apart',
          }),
          points: z.array(ConversationPoint),
        }),
      ),
    }),
  },
});
