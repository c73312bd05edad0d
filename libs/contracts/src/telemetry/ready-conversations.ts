import { z } from 'zod';
import { ConversationId, EpochMs, EpochMsQuery, pageQuery, ProjectParams } from '../common/primitives.ts';
import { defineRoute } from '../route.ts';

const READERS = {
  kind: 'internal',
  services: ['diagnostics-svc', 'knowledge-svc', 'datasets-svc', 'jobs-worker'],
} as const;

/**
 * Conversation as it was when it was last ready. One that has continued since still counts, with that snapshot and its
 * times, until it is ready again.
 */
export const ReadySnapshot = z.object({
  conversationId: z.string(),
  snapshotId: z.string(),
  contentHash: z.string(),
  messagesHash: z.string(),
  revision: z.int().min(1),
  startedAt: EpochMs,
  lastActivityAt: EpochMs,
  messageCount: z.int().min(0).meta({ description: '0 where it has lost what it said' }),
  agents: z.array(z.string()),
});
export type ReadySnapshot = z.infer<typeof ReadySnapshot>;

const WindowQuery = z.strictObject({
  from: EpochMsQuery.meta({ description: 'Inclusive' }),
  to: EpochMsQuery.meta({ description: 'Inclusive' }),
  order: z.enum(['oldest', 'latest']).default('oldest').meta({ description: 'Which of them come first' }),
  ...pageQuery(500, 100),
});
export type ReadyConversationsQuery = z.infer<typeof WindowQuery>;

/** Internal: lists ready conversations, for backfills. */
export const listReadyConversations = defineRoute({
  operationId: 'listReadyConversations',
  service: 'telemetry-warehouse',
  method: 'get',
  path: '/internal/v1/projects/:projectId/ready-conversations',
  tag: 'Internal',
  summary: 'List ready conversations by their last activity in a window',
  access: READERS,
  params: ProjectParams,
  query: WindowQuery,
  responses: { 200: z.object({ conversations: z.array(ReadySnapshot), nextCursor: z.string().nullable() }) },
});

/** Internal: the snapshot of the last ready state; CONVERSATION_NOT_READY if there is none yet. */
export const getReadySnapshot = defineRoute({
  operationId: 'getReadySnapshot',
  service: 'telemetry-warehouse',
  method: 'get',
  path: '/internal/v1/projects/:projectId/conversations/:conversationId/ready-snapshot',
  tag: 'Internal',
  summary: 'Name the snapshot with which a conversation was ready the last time',
  access: READERS,
  params: ProjectParams.extend({ conversationId: ConversationId }),
  responses: {
    200: ReadySnapshot.extend({
      state: z.enum(['active', 'ready']).meta({ description: 'active: it has gone on since' }),
    }),
  },
  errors: ['CONVERSATION_NOT_FOUND', 'CONVERSATION_NOT_READY'],
});

/** Maximum number of conversations whose ready snapshots are named in one answer. */
export const MAX_READY_SNAPSHOTS = 100;

/** Internal: the snapshots of the last ready states of some conversations. */
export const readReadySnapshots = defineRoute({
  operationId: 'readReadySnapshots',
  service: 'telemetry-warehouse',
  method: 'post',
  path: '/internal/v1/projects/:projectId/ready-snapshots/read',
  tag: 'Internal',
  summary: 'Name the snapshots with which conversations were ready the last time; those that never were are left out',
  access: READERS,
  params: ProjectParams,
  body: z.strictObject({ conversationIds: z.array(ConversationId).min(1).max(MAX_READY_SNAPSHOTS) }),
  responses: { 200: z.object({ conversations: z.array(ReadySnapshot) }) },
});

/** Internal: the conversation of a caller who names none. */
export const getLatestConversation = defineRoute({
  operationId: 'getLatestConversation',
  service: 'telemetry-warehouse',
  method: 'get',
  path: '/internal/v1/projects/:projectId/latest-conversation',
  tag: 'Internal',
  summary: 'Name the conversation that began last, ready or not',
  access: { kind: 'internal', services: ['diagnostics-svc'] },
  params: ProjectParams,
  responses: { 200: z.object({ conversationId: z.string() }) },
  errors: ['CONVERSATION_NOT_FOUND'],
});
