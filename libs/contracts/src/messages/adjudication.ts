import { z } from 'zod';
import { Quote } from '../diagnostics/detection.ts';
import { AskedModelCapabilities } from './asked-model.ts';
import { AskLater } from './ask-later.ts';
import { defineMessage } from './envelope.ts';
import { RuleRevision } from './diagnostics.ts';

/** Maximum number of clusters that a Rule reports for one snapshot. */
export const MAX_CANDIDATES = 20;
export const MAX_BECAUSE_LENGTH = 1_000;

/** Detection of a Rule, as presented to the judge. */
const Candidate = z.object({
  clusterFingerprint: z.string(),
  title: z.string(),
  summary: z.string(),
  evidence: z.array(z.object({ stepIndex: z.int().min(0), quotes: z.array(z.string()) })).min(1),
});

const Judged = {
  conversationId: z.string(),
  snapshotId: z.string(),
  rule: RuleRevision,
  model: z.string().meta({ description: 'The model itself, never a choice of one' }),
  accuracy: z.number().min(0).max(1).meta({ description: 'How often the model is right, as it was known then' }),
  round: z.int().min(1).meta({ description: 'How often the same has been asked for' }),
};

/**
 * Asks a worker to have a model confirm or refute the Detections of one Rule in one snapshot: one call of the model.
 */
export const adjudicationRequested = defineMessage({
  kind: 'command',
  type: 'diagnostics.adjudication.requested',
  version: 1,
  publishedBy: ['diagnostics-svc'],
  data: z.object({
    ...Judged,
    capabilities: AskedModelCapabilities,
    candidates: z.array(Candidate).min(1).max(MAX_CANDIDATES),
  }),
});

/** Verdict of the judge on one candidate. `none`: no usable verdict, for instance because its quotes do not exist. */
export const CandidateVerdict = z.object({
  clusterFingerprint: z.string(),
  verdict: z.enum(['confirmed', 'refuted', 'none']),
  because: z.string().max(MAX_BECAUSE_LENGTH),
  quotes: z
    .array(Quote.extend({ stepIndex: z.int().min(0) }))
    .meta({ description: 'Exact substrings of those messages of the snapshot; of no verdict there are none' }),
});
export type CandidateVerdict = z.infer<typeof CandidateVerdict>;

/** Outcome of an adjudication. It reports the calls made in any case, because they count against the limit. */
export const adjudicationCompleted = defineMessage({
  kind: 'result',
  type: 'diagnostics.adjudication.completed',
  version: 1,
  publishedBy: ['jobs-worker'],
  data: z.object({
    ...Judged,
    calls: z.int().min(0),
    tokens: z.int().min(0),
    outcome: z.discriminatedUnion('status', [
      z.object({ status: z.literal('judged'), verdicts: z.array(CandidateVerdict).max(MAX_CANDIDATES) }),
      z.object({ status: z.literal('failed'), reason: z.string() }).meta({ description: 'For good' }),
      AskLater,
    ]),
  }),
});
