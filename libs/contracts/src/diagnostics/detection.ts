import { z } from 'zod';
import { SpanId, TraceId } from '../common/primitives.ts';

export const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'] as const;
export const Severity = z.enum(SEVERITIES);
export type Severity = z.infer<typeof Severity>;

export const Quote = z.object({ quote: z.string() });

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

/** How a Rule is set for one project (specification, built-in Rule). */
export const RuleConfiguration = z
  .object({
    keywords: z.array(z.string()),
    minSignalScore: z.number().min(0).max(1),
    minDiagnosticConfidence: z.number().min(0).max(1),
    adjudicationMode: z.enum(['auto', 'deterministic-only']),
    adjudicationModel: z.string().nullable(),
    signalOverrides: z.record(z.string(), z.object({ enabled: z.boolean(), severity: Severity })),
  })
  .meta({ id: 'RuleConfiguration' });
export type RuleConfiguration = z.infer<typeof RuleConfiguration>;

/** What a Rule found in one conversation: all its evidence for one cluster. */
export const Detection = z.object({
  ruleId: z.string(),
  ruleKey: z.string(),
  categoryKey: z.string(),
  fingerprintVersion: z.string(),
  clusterFingerprint: z.string(),
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
});
export type Detection = z.infer<typeof Detection>;
