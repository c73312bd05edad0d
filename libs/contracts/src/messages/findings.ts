import { z } from 'zod';
import { Severity } from '../diagnostics/detection.ts';
import { RESOLUTION_STATUSES, REVIEW_STATUSES } from '../diagnostics/findings.ts';
import { defineMessage } from './envelope.ts';

/** Maximum number of Findings in one message. */
export const MAX_CHANGED_FINDINGS = 100;

/** State of a Finding, as far as its change is told. */
export const FindingFacts = z.object({
  reviewStatus: z.enum(REVIEW_STATUSES),
  resolutionStatus: z.enum(RESOLUTION_STATUSES),
  severity: Severity,
  listed: z.boolean().meta({ description: 'false: no conversation shows it, and nobody has reviewed it' }),
});
export type FindingFacts = z.infer<typeof FindingFacts>;

/** Change of one Finding, as it is told. */
export const ChangedFinding = z.object({
  findingId: z.string(),
  ruleId: z.string(),
  ruleKey: z.string(),
  categoryKey: z.string(),
  ...FindingFacts.shape,
  occurrenceCount: z.int().min(0),
  conversationId: z.string().meta({ description: 'That of its primary occurrence' }),
  snoozed: z.boolean().optional(),
  mergedInto: z.string().optional().meta({ description: 'The Finding that its conversations count for' }),
  splitFrom: z.string().optional(),
  previous: FindingFacts.nullable()
    .optional()
    .meta({ description: 'What it was before; null: it is new. Earlier tellings do not say it' }),
  sequence: z.int().min(0).meta({ description: 'Of two tellings of a Finding the one with the higher holds' }),
});
export type ChangedFinding = z.infer<typeof ChangedFinding>;

/** Reports Findings that are new, or whose state, severity or primary conversation changed. */
export const findingChanged = defineMessage({
  kind: 'event',
  type: 'diagnostics.finding.changed',
  version: 1,
  publishedBy: ['diagnostics-svc'],
  heardBy: ['gateway'],
  data: z.object({
    actor: z
      .object({ kind: z.enum(['key', 'user', 'service']), id: z.string() })
      .optional()
      .meta({ description: 'Who did it; absent where results brought it about' }),
    findings: z.array(ChangedFinding).min(1).max(MAX_CHANGED_FINDINGS),
  }),
});

/** Reports that a project's Rule names another model for adjudication, or no model any more. */
export const ruleModelsNamed = defineMessage({
  kind: 'event',
  type: 'diagnostics.models.named',
  version: 1,
  publishedBy: ['diagnostics-svc'],
  data: z.object({
    ruleId: z.string(),
    models: z.array(z.string()).max(1),
    revision: z.int().min(0).meta({ description: 'Of two messages on one Rule, what the higher one says holds' }),
  }),
});
