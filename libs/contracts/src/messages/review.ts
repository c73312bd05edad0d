import { z } from 'zod';
import { EpochMs } from '../common/primitives.ts';
import { EvidenceLocation, Offered, SecondLook } from '../diagnostics/detection.ts';
import { MAX_PROBLEMS, ProblemCategory, ProblemSeverity, ReviewVerdict } from '../diagnostics/review.ts';
import { AskedModelCapabilities } from './asked-model.ts';
import { AskLater } from './ask-later.ts';
import { defineMessage } from './envelope.ts';

/** Maximum number of hints: the worst findings of the Rules. */
export const MAX_HINTS = 20;
/** Maximum number of known kinds: the most frequent ones. */
export const MAX_KNOWN_KINDS = 40;
const MAX_SENTENCE = 1_000;
const MAX_SHORT_TEXT = 200;
const MAX_QUOTES = 8;

const Reviewed = {
  conversationId: z.string(),
  snapshotId: z.string(),
  model: z.string().meta({ description: 'The model itself, never a choice of one' }),
  accuracy: z.number().min(0).max(1).meta({ description: 'How often the model is right, as it was known then' }),
  round: z.int().min(1).meta({ description: 'How often the same has been asked for' }),
};

/** Asks a worker to have a model read one snapshot of a conversation. */
export const reviewRequested = defineMessage({
  kind: 'command',
  type: 'diagnostics.review.requested',
  version: 1,
  publishedBy: ['diagnostics-svc'],
  data: z.object({
    ...Reviewed,
    capabilities: AskedModelCapabilities,
    hints: z
      .array(z.object({ stepIndex: z.int().min(0), text: z.string().max(MAX_SENTENCE) }))
      .max(MAX_HINTS)
      .meta({ description: 'What Rules found, and where' }),
    knownKinds: z
      .array(z.string().max(MAX_SHORT_TEXT))
      .max(MAX_KNOWN_KINDS)
      .meta({ description: 'Kinds of problems in other conversations, whose words the reviewer uses again' }),
    embeddingModel: z.string().nullable().meta({ description: 'null: sentences are compared by their words' }),
  }),
});

/** Problem that a reviewer found, each quote of which is in the message that it names. */
export const ReviewedProblem = z.object({
  category: ProblemCategory,
  severity: ProblemSeverity,
  stepIndex: z.int().min(0).meta({ description: 'The message where it went wrong' }),
  agent: z.string().nullable().meta({ description: 'Who spoke or called there, where that is known' }),
  tool: z.string().nullable().meta({ description: 'The tool that was called there, or that answered' }),
  sentence: z.string().max(MAX_SENTENCE).meta({ description: 'The problem in this conversation' }),
  kind: z.string().max(MAX_SHORT_TEXT).meta({ description: 'The kind of mistake, without names and numbers' }),
  title: z.string().max(MAX_SHORT_TEXT).meta({ description: 'A title for every conversation that shows the same' }),
  quotes: z.array(EvidenceLocation).min(1).max(MAX_QUOTES).meta({ description: 'One quote each' }),
  secondLook: SecondLook,
  embedding: z.object({ model: z.string(), vector: z.string() }).optional(),
});
export type ReviewedProblem = z.infer<typeof ReviewedProblem>;

/** Outcome of a review. It reports the calls made in any case, because they count against the limit. */
export const reviewCompleted = defineMessage({
  kind: 'result',
  type: 'diagnostics.review.completed',
  version: 1,
  publishedBy: ['jobs-worker'],
  data: z.object({
    ...Reviewed,
    calls: z.int().min(0),
    tokens: z.int().min(0),
    outcome: z.discriminatedUnion('status', [
      z.object({
        status: z.literal('reviewed'),
        snapshot: z.object({
          revision: z.int().min(1),
          startedAt: EpochMs,
          throughMs: EpochMs,
          expiredThrough: z.int().min(0).optional(),
          agents: z.array(z.string()),
          offered: Offered.optional().meta({ description: 'Who spoke and what was called in it' }),
        }),
        wanted: z.string().max(MAX_SENTENCE).meta({ description: 'What the user wanted' }),
        verdict: ReviewVerdict,
        failureProbability: z.number().min(0).max(1),
        decisiveStep: z.int().min(0).nullable().meta({
          description: 'The first mistake from which the conversation did not recover; null where it did not fail',
        }),
        problems: z.array(ReviewedProblem).max(MAX_PROBLEMS),
        dropped: z.int().min(0).meta({ description: 'Problems whose quotes are not in their messages' }),
        refuted: z.int().min(0).meta({ description: 'Problems that a second look did not find' }),
        isTainted: z.boolean().meta({
          description: 'Some message speaks to its reader, so that a good verdict may come from its writer',
        }),
      }),
      z.object({ status: z.literal('failed'), reason: z.string() }).meta({ description: 'For good' }),
      AskLater,
    ]),
  }),
});
