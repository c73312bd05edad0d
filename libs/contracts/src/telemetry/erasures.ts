import { z } from 'zod';
import { idPattern } from '@clew/kernel';
import { ConversationId, EpochMs, pageQuery, ProjectParams } from '../common/primitives.ts';
import { defineRoute } from '../route.ts';

const TAG = 'Conversations';

/** Parts of an erasure, one per service, in the order in which they are processed. */
export const ERASED_PARTS = ['telemetry', 'diagnostics', 'datasets', 'knowledge'] as const;
export type ErasedPartName = (typeof ERASED_PARTS)[number];

const Counts = z.record(z.string(), z.int().min(0));

/** Result of one call that removes a part. */
export const ErasedBatch = z.object({
  removed: Counts,
  done: z.boolean().meta({ description: 'Nothing is left: otherwise the same call goes on' }),
});
export type ErasedBatch = z.infer<typeof ErasedBatch>;

export const ErasureId = z.string().regex(idPattern('ers'), 'must be an erasure id');

export const Erasure = z
  .object({
    id: ErasureId,
    conversationId: ConversationId,
    status: z.enum(['running', 'completed']),
    requestedAt: EpochMs.meta({ description: 'When it was asked for last' }),
    requestedBy: z
      .object({ kind: z.enum(['key', 'user', 'service']), id: z.string() })
      .meta({ description: 'Who asked for it last' }),
    completedAt: EpochMs.nullable(),
    services: z
      .object(Object.fromEntries(ERASED_PARTS.map((part) => [part, Counts])) as Record<ErasedPartName, typeof Counts>)
      .meta({ description: 'What was removed, by service and kind' }),
  })
  .meta({ id: 'Erasure', description: 'The receipt of an erasure: it holds no words of the conversation' });
export type Erasure = z.infer<typeof Erasure>;

export const eraseConversation = defineRoute({
  operationId: 'eraseConversation',
  sdk: 'conversations.erase',
  service: 'telemetry-warehouse',
  method: 'delete',
  path: '/v1/projects/:projectId/conversations/:conversationId',
  tag: TAG,
  summary: 'Erase one conversation, and all that was made of its words',
  description:
    'Its spans, snapshots, scores, quotes, Findings, Knowledge and Examples go in all services, and what comes of it later is refused. A conversation that is not stored any more is erased wherever it was quoted. A repeat has the same erasure, which then looks again.',
  access: { kind: 'caller', scopes: ['workspace:write'], permissions: ['project:data:write'] },
  params: ProjectParams.extend({ conversationId: ConversationId }),
  responses: { 202: z.object({ erasureId: ErasureId }) },
  responseHeaders: { Location: 'Where the erasure is read' },
});

export const ERASURE_STATUSES = ['running', 'completed'] as const;

export const listErasures = defineRoute({
  operationId: 'listErasures',
  sdk: 'erasures.list',
  service: 'telemetry-warehouse',
  method: 'get',
  path: '/v1/projects/:projectId/erasures',
  tag: TAG,
  summary: 'List erasures, the one that was asked for last first',
  description: 'Each erasure removes one conversation from all services, and is its own receipt.',
  access: { kind: 'caller', scopes: ['workspace:read'], permissions: ['project:read'] },
  params: ProjectParams,
  query: z.strictObject({ status: z.enum(ERASURE_STATUSES).optional(), ...pageQuery(500, 100) }),
  responses: { 200: z.object({ erasures: z.array(Erasure), nextCursor: z.string().nullable() }) },
});

export const getErasure = defineRoute({
  operationId: 'getErasure',
  sdk: 'erasures.get',
  service: 'telemetry-warehouse',
  method: 'get',
  path: '/v1/projects/:projectId/erasures/:erasureId',
  tag: TAG,
  summary: 'Read how far an erasure has come, and what it removed',
  description: '`services` tells what each removed. `status` is `completed` once nothing is left.',
  access: { kind: 'caller', scopes: ['workspace:read'], permissions: ['project:read'] },
  params: ProjectParams.extend({ erasureId: ErasureId }),
  ended: { member: 'status', values: ['completed'] },
  responses: { 200: Erasure },
});

const ERASES_PART = {
  method: 'delete',
  tag: 'Internal',
  access: { kind: 'internal', services: ['telemetry-warehouse'] },
  params: ProjectParams.extend({ conversationId: ConversationId }),
  responses: { 200: ErasedBatch },
} as const;

/** Internal: erases a conversation's part of diagnostics. */
export const eraseConversationFindings = defineRoute({
  ...ERASES_PART,
  operationId: 'eraseConversationFindings',
  service: 'diagnostics-svc',
  path: '/internal/v1/projects/:projectId/conversations/:conversationId/findings',
  summary: 'Remove what was found in a conversation, and all that quotes it; safe to repeat',
});

/** Internal: erases a conversation's part of Datasets. */
export const eraseConversationExamples = defineRoute({
  ...ERASES_PART,
  operationId: 'eraseConversationExamples',
  service: 'datasets-svc',
  path: '/internal/v1/projects/:projectId/conversations/:conversationId/examples',
  summary: 'Remove the Examples that came from a conversation, of all versions; safe to repeat',
});
