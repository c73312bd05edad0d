import { z } from 'zod';
import { ProblemCategory } from '../diagnostics/review.ts';
import { AskedModelCapabilities } from './asked-model.ts';
import { AskLater } from './ask-later.ts';
import { defineMessage } from './envelope.ts';

/** Maximum number of kinds of problems that one question compares. */
export const MAX_COMPARED_KINDS = 60;
const MAX_SHORT_TEXT = 200;

const Compared = {
  comparisonId: z.string(),
  model: z.string().meta({ description: 'The model itself, never a choice of one' }),
  round: z.int().min(1).meta({ description: 'How often the same has been asked for' }),
};

/** Kind of problems that reviews told, to be compared with others of the same agent. */
export const ComparedKind = z.object({
  id: z.string(),
  category: ProblemCategory,
  tool: z.string().nullable(),
  kind: z.string().max(MAX_SHORT_TEXT),
  title: z.string().max(MAX_SHORT_TEXT),
  isNew: z.boolean().meta({ description: 'false: it was compared with the others before' }),
});
export type ComparedKind = z.infer<typeof ComparedKind>;

/** Asks a worker to have a model tell which kinds of problems are the same in other words. */
export const kindComparisonRequested = defineMessage({
  kind: 'command',
  type: 'diagnostics.kind-comparison.requested',
  version: 1,
  publishedBy: ['diagnostics-svc'],
  data: z.object({
    ...Compared,
    capabilities: AskedModelCapabilities,
    kinds: z.array(ComparedKind).min(2).max(MAX_COMPARED_KINDS),
  }),
});

/** Outcome of a comparison. It reports the calls made in any case, because they count against the limit. */
export const kindComparisonCompleted = defineMessage({
  kind: 'result',
  type: 'diagnostics.kind-comparison.completed',
  version: 1,
  publishedBy: ['jobs-worker'],
  data: z.object({
    ...Compared,
    calls: z.int().min(0),
    tokens: z.int().min(0),
    newIds: z.array(z.string()).max(MAX_COMPARED_KINDS).meta({ description: 'Kinds that were new to the comparison' }),
    outcome: z.discriminatedUnion('status', [
      z.object({
        status: z.literal('compared'),
        same: z
          .array(z.array(z.string()).min(2).max(MAX_COMPARED_KINDS))
          .max(MAX_COMPARED_KINDS)
          .meta({ description: 'Groups of kinds that are the same; no kind is in two of them' }),
      }),
      z.object({ status: z.literal('failed'), reason: z.string() }).meta({ description: 'For good' }),
      AskLater,
    ]),
  }),
});
