import { z } from 'zod';
import { EpochMs, TraceId } from '../common/primitives.ts';
import { TelemetryGroup } from '../telemetry/spans.ts';
import { defineMessage } from './envelope.ts';

/** Spans and log records that ingest accepted; the warehouse stores them, once each. */
export const spansReceived = defineMessage({
  kind: 'event',
  type: 'telemetry.spans.received',
  version: 1,
  publishedBy: ['telemetry-ingest', 'model-runtime-svc'],
  data: z.object({ receivedAt: EpochMs, groups: z.array(TelemetryGroup) }),
});

/** A conversation has been quiet long enough; once per conversation and content hash. */
export const conversationReady = defineMessage({
  kind: 'event',
  type: 'telemetry.conversation.ready',
  version: 1,
  publishedBy: ['telemetry-warehouse'],
  data: z.object({
    conversationId: z.string(),
    snapshotId: z.string(),
    contentHash: z.string(),
    revision: z.int().min(1),
    startedAt: EpochMs,
    lastActivityAt: EpochMs,
    messageCount: z.int().min(0),
    traceIds: z.array(TraceId).meta({ description: 'At most 100 of them' }),
  }),
});
