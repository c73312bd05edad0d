import { z } from 'zod';
import { EpochMs, TraceId } from '../common/primitives.ts';
import { TelemetryGroup } from '../telemetry/spans.ts';
import { defineMessage } from './envelope.ts';

/** Spans and log records that ingest accepted; the warehouse stores each of them once. */
export const spansReceived = defineMessage({
  kind: 'event',
  type: 'telemetry.spans.received',
  version: 1,
  publishedBy: ['telemetry-ingest', 'model-runtime-svc'],
  lanes: ['bulk'],
  data: z.object({ receivedAt: EpochMs, groups: z.array(TelemetryGroup) }),
});

export const ReadyConversation = z.object({
  conversationId: z.string(),
  snapshotId: z.string(),
  contentHash: z.string(),
  revision: z.int().min(1),
  startedAt: EpochMs,
  lastActivityAt: EpochMs,
  messageCount: z.int().min(0),
  traceIds: z.array(TraceId).meta({ description: 'At most 100 of them' }),
  messagesHash: z.string().meta({ description: 'Of what was said alone; `contentHash` covers the scores too' }),
});
export type ReadyConversation = z.infer<typeof ReadyConversation>;

/** Maximum number of conversations in one message. */
export const MAX_READY_CONVERSATIONS = 100;

/** Reports conversations that have been quiet long enough; each is reported once per content hash. */
export const conversationReady = defineMessage({
  kind: 'event',
  type: 'telemetry.conversation.ready',
  version: 1,
  publishedBy: ['telemetry-warehouse'],
  heardBy: ['gateway'],
  data: z.object({ conversations: z.array(ReadyConversation).min(1).max(MAX_READY_CONVERSATIONS) }),
});

/** Reports that the privacy settings of a project have changed: every process that takes content reads them again. */
export const privacyChanged = defineMessage({
  kind: 'event',
  type: 'telemetry.privacy.changed',
  version: 1,
  publishedBy: ['telemetry-warehouse'],
  heardBy: ['telemetry-ingest', 'model-runtime-svc'],
  data: z.object({}),
});
