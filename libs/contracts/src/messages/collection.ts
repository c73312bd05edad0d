import { z } from 'zod';
import { COLLECTION_OBJECTIVES } from '../datasets/datasets.ts';
import { REFUSAL_REASONS, SUCCESS_SIGNALS, SYNTHESIS_REASONS } from '../datasets/collection.ts';
import { Severity } from '../diagnostics/detection.ts';
import { REVIEW_STATUSES } from '../diagnostics/findings.ts';
import { AskedModelCapabilities } from './asked-model.ts';
import { AskLater } from './ask-later.ts';
import { defineMessage } from './envelope.ts';

/** Maximum number of conversations or items in one command. */
export const MAX_LOOKS = 50;
/** Maximum number of problems of a conversation whose later review makes it looked at again. */
export const MAX_WATCHED_PROBLEMS = 50;

/** Conversation in one state, or Knowledge item in the state that it has when it is read. */
export const CollectionSubject = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('conversation'), conversationId: z.string(), snapshotId: z.string() }),
  z.object({ kind: z.literal('item'), itemId: z.string() }),
]);
export type CollectionSubject = z.infer<typeof CollectionSubject>;

const Looked = {
  subject: CollectionSubject,
  round: z.int().min(1).meta({ description: 'How often the subject has been looked at for this Dataset' }),
};

const OfDataset = { datasetId: z.string(), objective: z.enum(COLLECTION_OBJECTIVES) };

/** Asks a worker what a Dataset would collect from some conversations or items. */
export const collectionRequested = defineMessage({
  kind: 'command',
  type: 'datasets.collection.requested',
  version: 1,
  // A worker splits a command that crashed another worker, so that each subject comes alone.
  publishedBy: ['datasets-svc', 'jobs-worker'],
  data: z.object({
    ...OfDataset,
    redaction: z.boolean(),
    looks: z.array(z.object(Looked)).min(1).max(MAX_LOOKS),
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

const Collected = {
  status: z.literal('collected'),
  examples: z.array(CollectedExample).min(1).max(1),
  redacted: z.int().min(0).meta({ description: 'Personal data and secrets that were replaced' }),
};
const Refused = z.object({ status: z.literal('refused'), reason: z.enum(REFUSAL_REASONS) });

/** Response that a model is to write: what for, and what it will be made from. */
export const Synthesis = z.object({
  because: z.enum(SYNTHESIS_REASONS),
  stepIndex: z.int().min(0).nullable().meta({ description: 'The message of the mistake; null for an item' }),
  derivationKey: z.string(),
  basis: z.string().meta({ description: 'Digest of all that it is made from: the same basis is not asked for twice' }),
});
export type Synthesis = z.infer<typeof Synthesis>;

/** Reports what a Dataset would collect from conversations or items; each of them once. */
export const collectionCompleted = defineMessage({
  kind: 'result',
  type: 'datasets.collection.completed',
  version: 1,
  publishedBy: ['jobs-worker'],
  data: z.object({
    ...OfDataset,
    looks: z
      .array(
        z.object({
          ...Looked,
          problems: z.array(WatchedProblem).max(MAX_WATCHED_PROBLEMS),
          outcome: z.discriminatedUnion('status', [
            z.object({ ...Collected, because: z.enum(SUCCESS_SIGNALS) }),
            Synthesis.extend({ status: z.literal('to_synthesize') }),
            Refused,
          ]),
        }),
      )
      .min(1),
  }),
});

const Synthesized = {
  ...OfDataset,
  ...Looked,
  synthesis: Synthesis,
  model: z.string().meta({ description: 'The model itself, never a choice of one' }),
  tries: z.int().min(1).meta({ description: 'How often the same has been asked for' }),
};

/** Asks a worker to have a model write the response of one Example. */
export const synthesisRequested = defineMessage({
  kind: 'command',
  type: 'datasets.synthesis.requested',
  version: 1,
  publishedBy: ['datasets-svc'],
  data: z.object({
    ...Synthesized,
    redaction: z.boolean(),
    capabilities: AskedModelCapabilities,
  }),
});

/** Outcome of a synthesis. It reports the calls made in any case. */
export const synthesisCompleted = defineMessage({
  kind: 'result',
  type: 'datasets.synthesis.completed',
  version: 1,
  publishedBy: ['jobs-worker'],
  data: z.object({
    ...Synthesized,
    calls: z.int().min(0),
    tokens: z.int().min(0),
    outcome: z.discriminatedUnion('status', [
      z.object({
        ...Collected,
        secondLook: z.enum(['confirmed', 'not_made']).meta({
          description: 'not_made: the model could not be asked a second time',
        }),
      }),
      Refused,
      z.object({ status: z.literal('failed'), reason: z.string() }).meta({ description: 'For good' }),
      AskLater,
    ]),
  }),
});
