import { z } from 'zod';
import { COLLECTION_OBJECTIVES } from '../datasets/datasets.ts';
import { REFUSAL_REASONS, SUCCESS_SIGNALS } from '../datasets/collection.ts';
import { Severity } from '../diagnostics/detection.ts';
import { REVIEW_STATUSES } from '../diagnostics/findings.ts';
import { defineMessage } from './envelope.ts';

/** Maximum number of conversations in one command. */
export const MAX_COLLECTED_CONVERSATIONS = 50;
/** Maximum number of problems of a conversation whose later review makes it looked at again. */
export const MAX_WATCHED_PROBLEMS = 50;

const Looked = {
  conversationId: z.string(),
  snapshotId: z.string(),
  round: z.int().min(1).meta({ description: 'How often the conversation has been looked at for this Dataset' }),
};

/** Asks a worker what a Dataset would collect from some conversations. */
export const collectionRequested = defineMessage({
  kind: 'command',
  type: 'datasets.collection.requested',
  version: 1,
  // A worker splits a command that crashed another worker, so that each conversation comes alone.
  publishedBy: ['datasets-svc', 'jobs-worker'],
  data: z.object({
    datasetId: z.string(),
    objective: z.enum(COLLECTION_OBJECTIVES),
    redaction: z.boolean(),
    conversations: z.array(z.object(Looked)).min(1).max(MAX_COLLECTED_CONVERSATIONS),
  }),
});

/** State of a problem of a conversation when it was looked at. */
export const WatchedProblem = z.object({
  findingId: z.string(),
  severity: Severity,
  reviewStatus: z.enum(REVIEW_STATUSES),
});
export type WatchedProblem = z.infer<typeof WatchedProblem>;

/** Example that a worker made, not checked by its owner yet. */
export const CollectedExample = z.object({
  derivationKey: z.string(),
  example: z.unknown().meta({ description: 'As in the body of createExample' }),
});
export type CollectedExample = z.infer<typeof CollectedExample>;

/** Reports what a Dataset would collect from conversations; each of them once. */
export const collectionCompleted = defineMessage({
  kind: 'result',
  type: 'datasets.collection.completed',
  version: 1,
  publishedBy: ['jobs-worker'],
  data: z.object({
    datasetId: z.string(),
    objective: z.enum(COLLECTION_OBJECTIVES),
    conversations: z
      .array(
        z.object({
          ...Looked,
          problems: z.array(WatchedProblem).max(MAX_WATCHED_PROBLEMS),
          outcome: z.discriminatedUnion('status', [
            z.object({
              status: z.literal('collected'),
              because: z.enum(SUCCESS_SIGNALS),
              examples: z.array(CollectedExample).min(1).max(1),
              redacted: z.int().min(0).meta({ description: 'Personal data and secrets that were replaced' }),
            }),
            z.object({ status: z.literal('refused'), reason: z.enum(REFUSAL_REASONS) }),
          ]),
        }),
      )
      .min(1),
  }),
});
