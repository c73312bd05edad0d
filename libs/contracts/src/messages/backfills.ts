import { z } from 'zod';
import { EpochMs } from '../common/primitives.ts';
import { defineMessage } from './envelope.ts';

const Ended = {
  backfillId: z.string(),
  state: z.enum(['completed', 'cancelled', 'failed']),
  failureReason: z.string().nullable(),
  startMs: EpochMs,
  endMs: EpochMs,
  conversationsSeen: z.int().min(0),
};

/** Reports that a backfill of a Rule has ended: its Runs are queued, or it was cancelled or given up. */
export const ruleBackfillEnded = defineMessage({
  kind: 'event',
  type: 'diagnostics.backfill.ended',
  version: 1,
  publishedBy: ['diagnostics-svc'],
  heardBy: ['gateway'],
  data: z.object({ ...Ended, ruleId: z.string(), runsQueued: z.int().min(0) }),
});

/** Reports that a backfill of Knowledge has ended: its conversations are read, or it was cancelled or given up. */
export const knowledgeBackfillEnded = defineMessage({
  kind: 'event',
  type: 'knowledge.backfill.ended',
  version: 1,
  publishedBy: ['knowledge-svc'],
  heardBy: ['gateway'],
  data: z.object({
    ...Ended,
    goalId: z.string(),
    conversationsFailed: z.int().min(0),
    itemsCreated: z.int().min(0),
    itemsMerged: z.int().min(0),
  }),
});
