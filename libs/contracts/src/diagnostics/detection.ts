import { z } from 'zod';
import { SpanId, TraceId } from '../common/primitives.ts';

export const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'] as const;
export const Severity = z.enum(SEVERITIES);
export type Severity = z.infer<typeof Severity>;

/** Place of a quote, so that a text that occurs more than once can be marked; absent where it is not known. */
const QUOTE_PLACE = {
  messageIndex: z.int().min(0).optional().meta({ description: 'The message that it stands in' }),
  field: z.enum(['content', 'arguments', 'reasoning']).optional().meta({
    description: '`arguments`: those of the tool call of that message in which it stands, as JSON text',
  }),
  startChar: z.int().min(0).optional().meta({ description: 'In UTF-16 code units of the field' }),
  endChar: z.int().min(0).optional().meta({ description: 'Exclusive' }),
};

export const Quote = z.object({ quote: z.string(), ...QUOTE_PLACE });
export type Quote = z.infer<typeof Quote>;

export const EvidenceLocation = z
  .object({
    traceId: TraceId,
    spanId: SpanId,
    stepIndex: z.int().min(0).meta({ description: 'The index of the message in the canonical conversation' }),
    quotes: z.array(Quote).meta({ description: 'Exact substrings of that message' }),
  })
  .meta({ id: 'EvidenceLocation' });
export type EvidenceLocation = z.infer<typeof EvidenceLocation>;

export const Evidence = z
  .object({
    ref: z.string().meta({ description: 'Names the evidence within its Finding' }),
    kind: z.enum(['span', 'message', 'tool_call', 'tool_result', 'score']),
    title: z.string(),
    summary: z.string(),
    url: z.string().nullable(),
    location: EvidenceLocation,
  })
  .meta({ id: 'Evidence' });
export type Evidence = z.infer<typeof Evidence>;

export const ADJUDICATION_MODES = ['auto', 'deterministic-only'] as const;

/** Configuration of a Rule for one project (specification, built-in Rule). */
export const RuleConfiguration = z
  .object({
    keywords: z.array(z.string()),
    minSignalScore: z.number().min(0).max(1),
    minDiagnosticConfidence: z.number().min(0).max(1),
    adjudicationMode: z.enum(ADJUDICATION_MODES),
    adjudicationModel: z.string().nullable(),
    signalOverrides: z.record(z.string(), z.object({ enabled: z.boolean(), severity: Severity })),
  })
  .meta({ id: 'RuleConfiguration' });
export type RuleConfiguration = z.infer<typeof RuleConfiguration>;

/** Opinion of a sceptic on a problem that a reviewer found. */
export const SecondLook = z.enum(['confirmed', 'unclear', 'not_asked']).meta({
  description: 'Only a confirmed problem is high',
});

/** Source of the confidence in a Detection. */
export const ConfidenceSource = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('rules') }).meta({ description: 'The Rule alone' }),
    z
      .object({
        kind: z.literal('model'),
        model: z.string(),
        accuracy: z.number().min(0).max(1).meta({
          description: 'How often the model is right, as its judgement test says',
        }),
        candidateConfidence: z.number().min(0).max(1).meta({ description: 'What the Rule alone was confident of' }),
        labelled: z
          .object({ flagged: z.int().min(0), failed: z.int().min(0) })
          .optional()
          .meta({ description: 'How labelled conversations ended in which the Rule found something' }),
        because: z.string(),
        quotes: z.array(z.object({ quote: z.string(), stepIndex: z.int().min(0) })),
      })
      .meta({ description: 'A model confirmed it, with exact quotes of the conversation' }),
    z
      .object({
        kind: z.literal('review'),
        model: z.string(),
        accuracy: z.number().min(0).max(1).meta({
          description: 'How often the model is right, as its judgement test says',
        }),
        secondLook: SecondLook,
        problem: z
          .object({ kind: z.string(), title: z.string() })
          .optional()
          .meta({ description: 'What the reviewer called the problem in this conversation alone' }),
        because: z.string(),
        quotes: z.array(z.object({ quote: z.string(), stepIndex: z.int().min(0) })),
        calls: z.int().min(0).meta({ description: 'Calls of the model that the review of the conversation took' }),
        tokens: z.int().min(0),
      })
      .meta({ description: 'A model that read the conversation found it, with exact quotes' }),
  ])
  .meta({ id: 'ConfidenceSource' });
export type ConfidenceSource = z.infer<typeof ConfidenceSource>;

const NAME = z.string().max(400);

/** Situation that a problem needs to occur: conversations without it prove nothing about its repair. */
export const Situation = z
  .object({
    agent: NAME.optional().meta({ description: 'The agent that must speak' }),
    tools: z.array(NAME).min(1).max(12).optional().meta({ description: 'Tools of which one must be called' }),
  })
  .meta({ id: 'FindingSituation' });
export type Situation = z.infer<typeof Situation>;

/** Agents that speak in a conversation, and tools that they call. */
export const Offered = z.object({ agents: z.array(NAME), tools: z.array(NAME) });
export type Offered = z.infer<typeof Offered>;

/** Detection of a Rule in one conversation: all its evidence for one cluster. */
export const Detection = z.object({
  ruleId: z.string(),
  ruleKey: z.string(),
  categoryKey: z.string(),
  fingerprintVersion: z.string(),
  clusterFingerprint: z.string(),
  formerFingerprints: z
    .array(z.string())
    .max(5)
    .optional()
    .meta({ description: 'Of earlier versions, the earliest first: a Finding that has one keeps its id' }),
  severity: Severity,
  diagnosticScore: z.number().min(0).max(1),
  diagnosticConfidence: z.number().min(0).max(1),
  title: z.string(),
  summary: z.string(),
  causeAssessment: z.string(),
  remediationHint: z.string(),
  signals: z.array(z.string()),
  anchor: EvidenceLocation,
  evidence: z.array(Evidence).min(1),
  confidenceSource: ConfidenceSource.optional().meta({ description: 'Absent: the Rule alone' }),
  situation: Situation.optional().meta({ description: 'Absent: any conversation may show it' }),
});
export type Detection = z.infer<typeof Detection>;
