import { z } from 'zod';
import {
  BooleanQuery,
  ConversationId,
  EpochMs,
  EpochMsQuery,
  pageQuery,
  Name,
  ProjectParams,
  SpanId,
  textOf,
  TraceId,
} from '../common/primitives.ts';
import { defineRoute } from '../route.ts';
import { Attributes, SpanEvent } from './spans.ts';
import { ContentCapture } from './privacy.ts';
import { ConversationMessage, Score, ToolDefinition } from './messages.ts';

export const READ_CONVERSATIONS = {
  kind: 'caller',
  scopes: ['workspace:read'],
  permissions: ['project:read'],
} as const;

export const CONVERSATION_STATES = ['active', 'ready'] as const;
export type ConversationState = (typeof CONVERSATION_STATES)[number];

export const ConversationSummary = z
  .object({
    id: z.string(),
    projectId: z.string(),
    state: z.enum(CONVERSATION_STATES).meta({
      description:
        'active: within its quiet period, or changed since it was ready. ready: a snapshot of it exists, where anything was said',
    }),
    startedAt: EpochMs,
    lastActivityAt: EpochMs,
    spanCount: z.int().min(0),
    messageCount: z.int().min(0).meta({ description: 'Of the latest snapshot; 0 before the first' }),
    errorCount: z.int().min(0),
    findingCount: z.int().min(0),
    agents: z.array(z.string()),
    models: z.array(z.string()),
    userId: z.string().nullable(),
    usage: z.object({ inputTokens: z.int().min(0), outputTokens: z.int().min(0) }),
    preview: z.string().meta({ description: 'The beginning of what the user said first' }),
    snapshotId: z.string().nullable(),
    contentHash: z.string().nullable(),
    traceIds: z.array(TraceId).meta({ description: 'At most 100 of them, oldest first' }),
    contentCapture: ContentCapture.meta({
      description: 'structure: the words of some or all of its messages were never stored',
    }),
  })
  .meta({ id: 'ConversationSummary' });
export type ConversationSummary = z.infer<typeof ConversationSummary>;

export const Conversation = ConversationSummary.extend({
  truncated: z.boolean(),
  messages: z.array(ConversationMessage),
  tools: z.array(ToolDefinition),
  scores: z.array(Score),
}).meta({ id: 'Conversation' });
export type Conversation = z.infer<typeof Conversation>;

/** Score of a name, and what it means where the project says which scores count. */
const ScoreQuery = z
  .string()
  .max(208)
  .regex(/^[^\p{Cc}]{1,200}:(?:success|failure)$/u, 'must be <name>:success or <name>:failure')
  .transform((text) => {
    const end = text.lastIndexOf(':');
    return { name: text.slice(0, end).trim(), meaning: text.slice(end + 1) as 'success' | 'failure' };
  });

/** Filters of conversations, for lists and counts alike. */
export const CONVERSATION_FILTERS = {
  startedAfter: EpochMsQuery.optional().meta({ description: 'Inclusive' }),
  startedBefore: EpochMsQuery.optional().meta({ description: 'Exclusive' }),
  agent: z.string().min(1).max(256).optional(),
  model: z.string().min(1).max(256).optional(),
  userId: z.string().min(1).max(256).optional(),
  hasFinding: BooleanQuery.optional(),
  hasError: BooleanQuery.optional().meta({ description: 'A model call or a tool run in it failed' }),
  state: z.enum(CONVERSATION_STATES).optional(),
  tool: z.string().min(1).max(256).optional().meta({ description: 'The name of a tool that it called' }),
  minMessages: z
    .string()
    .regex(/^\d{1,5}$/, 'must be an integer from 1 to 10000')
    .transform(Number)
    .pipe(z.int().min(1).max(10_000))
    .optional(),
  score: ScoreQuery.optional().meta({
    description: '`<name>:success` or `<name>:failure`, as the scores that count in the project mean it',
  }),
  q: z.string().max(256).trim().min(1).optional().meta({ description: 'Words that all occur in its messages' }),
};

const ConversationQuery = z.strictObject({ ...CONVERSATION_FILTERS, ...pageQuery(500, 100) });
export type ConversationQuery = z.infer<typeof ConversationQuery>;

export const ConversationParams = ProjectParams.extend({ conversationId: ConversationId });

export const listConversations = defineRoute({
  operationId: 'listConversations',
  sdk: 'conversations.list',
  service: 'telemetry-warehouse',
  method: 'get',
  path: '/v1/projects/:projectId/conversations',
  tag: 'Conversations',
  summary: 'List conversations, newest start first',
  description:
    'With several filters, a page may hold fewer than `limit`, or none; only a null `nextCursor` says that it is the last.',
  access: READ_CONVERSATIONS,
  params: ProjectParams,
  query: ConversationQuery,
  responses: {
    200: z.object({ conversations: z.array(ConversationSummary), nextCursor: z.string().nullable() }),
  },
});

export const getConversation = defineRoute({
  operationId: 'getConversation',
  sdk: 'conversations.get',
  service: 'telemetry-warehouse',
  method: 'get',
  path: '/v1/projects/:projectId/conversations/:conversationId',
  tag: 'Conversations',
  summary: 'Read one conversation: each message once, in order',
  description:
    'Messages with their tool calls, tokens, scores and errors, assembled from all spans of the conversation. `state` is `ready` once it has been quiet for a moment; more may still be said in it.',
  access: READ_CONVERSATIONS,
  params: ConversationParams,
  responses: { 200: Conversation },
});

export const NewScore = z.strictObject({
  name: Name,
  value: z.union([z.number(), z.boolean(), textOf(1_000)]),
  traceId: TraceId.optional(),
  comment: textOf(10_000).optional(),
  source: z.enum(['user', 'evaluator', 'api']),
});
export type NewScore = z.infer<typeof NewScore>;

export const createScore = defineRoute({
  operationId: 'createScore',
  sdk: 'conversations.score',
  service: 'telemetry-warehouse',
  idempotent: true,
  method: 'post',
  path: '/v1/projects/:projectId/conversations/:conversationId/scores',
  tag: 'Conversations',
  summary: 'Record feedback on a conversation',
  description:
    'A number, a switch or a word under a name of your choice, from a user, an evaluator or a program. Scores that count as success or failure are named in the settings of telemetry.',
  access: { kind: 'caller', scopes: ['telemetry:write'], permissions: ['project:data:write'] },
  params: ConversationParams,
  body: NewScore,
  responses: { 201: Score },
});

export const ImportReport = z
  .object({
    imported: z.int().min(0).meta({ description: 'Conversations accepted' }),
    refusedCount: z.int().min(0),
    refused: z
      .array(z.object({ line: z.int().min(1), path: z.string(), reason: z.string() }))
      .meta({ description: 'The first 1,000 refused lines' }),
  })
  .meta({ id: 'ConversationImportReport' });
export type ImportReport = z.infer<typeof ImportReport>;

export const importConversations = defineRoute({
  operationId: 'importConversations',
  sdk: 'conversations.import',
  service: 'telemetry-ingest',
  method: 'post',
  path: '/v1/projects/:projectId/conversations/import',
  tag: 'Conversations',
  summary: 'Import OpenAI-style message lists, one JSON object a line: `{id?, messages: [...], metadata?}`',
  description:
    'For conversations that no exporter has sent. Lines that are wrong are refused one by one and named; the others are taken.',
  access: { kind: 'caller', scopes: ['telemetry:write'], permissions: ['project:data:write'] },
  routeClass: 'stream',
  ownBody: { 'application/x-ndjson': null, 'application/octet-stream': null },
  errors: ['QUOTA_EXCEEDED'],
  params: ProjectParams,
  responses: { 200: ImportReport },
});

export const TraceSpan = z
  .object({
    spanId: SpanId,
    parentSpanId: SpanId.nullable(),
    name: z.string(),
    kind: z.int(),
    startTimeUnixNano: z.string(),
    endTimeUnixNano: z.string(),
    statusCode: z.int(),
    statusMessage: z.string().nullable(),
    scopeName: z.string().nullable(),
    attributes: Attributes,
    events: z.array(SpanEvent),
  })
  .meta({ id: 'TraceSpan' });

export const Trace = z
  .object({
    traceId: TraceId,
    projectId: z.string(),
    spanCount: z.int(),
    spans: z.array(TraceSpan),
    nextCursor: z.string().nullable(),
  })
  .meta({ id: 'Trace' });
export type Trace = z.infer<typeof Trace>;

export const getTrace = defineRoute({
  operationId: 'getTrace',
  sdk: 'traces.get',
  service: 'telemetry-warehouse',
  method: 'get',
  path: '/v1/projects/:projectId/traces/:traceId',
  tag: 'Conversations',
  summary: 'Read the spans of one trace, by span id',
  description: 'As they were sent, after masking: names, times, attributes and events.',
  access: READ_CONVERSATIONS,
  params: ProjectParams.extend({ traceId: TraceId }),
  query: z.strictObject(pageQuery(1000, 1000)),
  responses: { 200: Trace },
});
