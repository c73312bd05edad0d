import { z } from 'zod';
import { EpochMs, ProjectParams } from '../common/primitives.ts';
import { defineRoute, streamed } from '../route.ts';
import { ConversationParams } from './conversations.ts';
import { ConversationSnapshot } from './messages.ts';

const SnapshotId = z.string().regex(/^cesr_[0-9A-Z]{26}$/);

/** Internal: the snapshot that a worker evaluates. */
export const getSnapshot = defineRoute({
  operationId: 'getSnapshot',
  service: 'telemetry-warehouse',
  method: 'get',
  path: '/internal/v1/projects/:projectId/snapshots/:snapshotId',
  tag: 'Internal',
  summary: 'Read one evidence snapshot',
  access: { kind: 'internal', services: ['jobs-worker', 'diagnostics-svc'] },
  params: ProjectParams.extend({ snapshotId: SnapshotId }),
  responses: { 200: ConversationSnapshot },
});

/** Internal: identifies the snapshot of a conversation up to a time, and creates it if needed. */
export const resolveSnapshot = defineRoute({
  operationId: 'resolveSnapshot',
  service: 'telemetry-warehouse',
  method: 'post',
  path: '/internal/v1/projects/:projectId/conversations/:conversationId/snapshots',
  tag: 'Internal',
  summary: 'Resolve the snapshot of a conversation up to and including a time',
  access: { kind: 'internal', services: ['diagnostics-svc'] },
  params: ConversationParams,
  body: z.strictObject({ throughMs: EpochMs, traceIds: z.array(z.string()).max(10_000).optional() }),
  responses: { 200: z.object({ snapshotId: z.string(), conversationId: z.string() }) },
});

/** Maximum number of snapshots read in one answer. */
export const MAX_SNAPSHOTS_OF_READ = 100;

/** Internal: many snapshots in one answer, streamed so that it never needs to be held in memory. */
export const readSnapshots = defineRoute({
  operationId: 'readSnapshots',
  service: 'telemetry-warehouse',
  method: 'post',
  path: '/internal/v1/projects/:projectId/snapshots/read',
  tag: 'Internal',
  summary: 'Read evidence snapshots, one a line, in any order; those that do not exist are left out',
  access: { kind: 'internal', services: ['jobs-worker', 'diagnostics-svc', 'knowledge-svc', 'datasets-svc'] },
  params: ProjectParams,
  body: z.strictObject({ snapshotIds: z.array(SnapshotId).min(1).max(MAX_SNAPSHOTS_OF_READ) }),
  responses: { 200: streamed({ 'application/x-ndjson': ConversationSnapshot }) },
});
