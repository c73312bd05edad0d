import { z } from 'zod';
import { EpochMs } from '../common/primitives.ts';
import { Detection, RuleConfiguration } from '../diagnostics/detection.ts';
import { defineMessage } from './envelope.ts';

/** Asks a worker to evaluate Rules on one snapshot; one Analysis Run for each Rule. */
export const analysisRequested = defineMessage({
  kind: 'command',
  type: 'diagnostics.analysis.requested',
  version: 1,
  publishedBy: ['diagnostics-svc'],
  data: z.object({
    conversationId: z.string(),
    snapshotId: z.string(),
    runs: z.array(z.object({ runId: z.string(), ruleId: z.string(), configuration: RuleConfiguration })).min(1),
  }),
});

/** What the Rules found; `failed` runs carry the reason and no detections. */
export const analysisCompleted = defineMessage({
  kind: 'result',
  type: 'diagnostics.analysis.completed',
  version: 1,
  publishedBy: ['jobs-worker'],
  data: z.object({
    conversationId: z.string(),
    snapshot: z.object({
      snapshotId: z.string(),
      revision: z.int().min(1),
      scope: z.enum(['conversation', 'prefix', 'traces']),
      startedAt: EpochMs,
      throughMs: EpochMs,
    }),
    runs: z.array(
      z.object({
        runId: z.string(),
        ruleId: z.string(),
        outcome: z.discriminatedUnion('status', [
          z.object({ status: z.literal('succeeded'), detections: z.array(Detection) }),
          z.object({ status: z.literal('failed'), reason: z.string() }),
          z.object({ status: z.literal('skipped'), reason: z.string() }),
        ]),
      }),
    ),
  }),
});

/** How many Findings a conversation has now; the warehouse keeps the count for its `hasFinding` filter. */
export const conversationFindingsChanged = defineMessage({
  kind: 'event',
  type: 'diagnostics.conversation-findings.changed',
  version: 1,
  publishedBy: ['diagnostics-svc'],
  data: z.object({ conversationId: z.string(), findingCount: z.int().min(0), sequence: z.int().min(0) }),
});
