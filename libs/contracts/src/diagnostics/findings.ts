import { z } from 'zod';
import { EpochMs, EpochMsQuery, pageQuery, ProjectParams } from '../common/primitives.ts';
import { Waiting } from '../common/waiting.ts';
import { defineRoute } from '../route.ts';
import { ConfidenceSource, Evidence, EvidenceLocation, SEVERITIES, Severity } from './detection.ts';
import { WorkItem } from './work-item.ts';

export const REVIEW_STATUSES = ['unreviewed', 'confirmed', 'dismissed'] as const;
export const RESOLUTION_STATUSES = ['unresolved', 'awaiting_verification', 'resolved', 'regressed'] as const;
export type ReviewStatus = (typeof REVIEW_STATUSES)[number];
export type ResolutionStatus = (typeof RESOLUTION_STATUSES)[number];

/**
 * Snooze of a Finding: nobody is notified before a time, or before a number of further conversations show it, whichever
 * comes first.
 */
export const FindingSnooze = z
  .object({
    since: EpochMs,
    until: EpochMs.nullable(),
    furtherOccurrences: z.int().min(1).nullable().meta({ description: 'How many more conversations end it' }),
  })
  .meta({ id: 'FindingSnooze' });
export type FindingSnooze = z.infer<typeof FindingSnooze>;

export const FindingVerification = z
  .object({
    since: EpochMs.meta({ description: 'Conversations that started later tell whether the repair helped' }),
    cleanExposures: z.int().min(0).meta({ description: 'Conversations that could have shown the problem and do not' }),
    requiredExposures: z.int().min(1).meta({ description: 'So many of them resolve the Finding' }),
    recurrenceBound: z
      .number()
      .min(0)
      .max(1)
      .meta({ description: 'With 95% confidence, the problem occurs in at most this share of such conversations' }),
  })
  .meta({ id: 'FindingVerification' });
export type FindingVerification = z.infer<typeof FindingVerification>;

/** Conversations of a Finding that have a Finding of their own. */
export const FindingSplit = z
  .object({
    findingId: z.string().meta({ description: 'The Finding that they belong to' }),
    conversationIds: z.array(z.string()).optional(),
    signal: z.string().optional().meta({ description: 'Those in which this signal of the Rule fired' }),
  })
  .meta({ id: 'FindingSplit' });
export type FindingSplit = z.infer<typeof FindingSplit>;

export const Finding = z
  .object({
    id: z.string(),
    projectId: z.string(),
    clusterFingerprint: z.string(),
    fingerprintVersion: z.string(),
    reviewStatus: z.enum(REVIEW_STATUSES),
    resolutionStatus: z.enum(RESOLUTION_STATUSES),
    severity: Severity,
    diagnosticScore: z.number().min(0).max(1),
    diagnosticConfidence: z.number().min(0).max(1),
    confidenceSource: ConfidenceSource,
    adjudicationWaiting: Waiting.optional().meta({
      description: 'Where it is read alone, and a model is still to be asked about the primary anchor',
    }),
    title: z.string(),
    summary: z.string(),
    causeAssessment: z.string(),
    remediationHint: z.string(),
    metadata: z.object({
      categoryKey: z.string(),
      diagnosticRule: z.object({ ruleId: z.string(), ruleKey: z.string() }),
    }),
    occurrenceCount: z.int().min(0).meta({ description: 'Conversations that show the problem' }),
    firstDetectedAt: EpochMs,
    lastDetectedAt: EpochMs,
    conversationId: z.string().meta({ description: 'The conversation of the primary anchor' }),
    diagnosticAnchor: EvidenceLocation.extend({ conversationId: z.string() }),
    evidence: z.array(Evidence),
    evidenceWindow: z.object({ startMs: EpochMs, endMs: EpochMs, conversationIds: z.array(z.string()) }),
    analysisRevision: z.string(),
    evidenceSnapshotRevision: z.string(),
    evidenceThroughMs: EpochMs,
    createdAt: EpochMs,
    updatedAt: EpochMs,
    reviewedAt: EpochMs.nullable(),
    resolvedAt: EpochMs.nullable(),
    regressedAt: EpochMs.nullable(),
    verification: FindingVerification.nullable().meta({
      description: 'While it is `awaiting_verification`, and after',
    }),
    assignee: z.string().nullable().meta({ description: 'Who is to look after it' }),
    snooze: FindingSnooze.nullable(),
    mergedInto: z.string().nullable().meta({
      description: 'The Finding that it was merged into: it is not listed, and says what its own conversations show',
    }),
    mergedFindingIds: z.array(z.string()).meta({ description: 'Findings whose conversations count for this one' }),
    splitFrom: z.string().nullable().meta({ description: 'The Finding that it was split off' }),
    splits: z.array(FindingSplit).meta({ description: 'What was split off this one, the earliest first' }),
    workItem: WorkItem.nullable().meta({ description: 'The primary work item, or null' }),
  })
  .meta({ id: 'Finding' });
export type Finding = z.infer<typeof Finding>;

export const READ_FINDINGS = {
  kind: 'caller',
  scopes: ['diagnostics:read'],
  permissions: ['project:diagnostics:read'],
} as const;

export const WRITE_FINDINGS = {
  kind: 'caller',
  scopes: ['diagnostics:write'],
  permissions: ['project:diagnostics:write'],
} as const;
/** Finding id of any form: an impossible id is answered like an unknown one. */
export const FindingParams = ProjectParams.extend({ findingId: z.string() });

const IS_NO_SCORE = 'must be a number from 0 to 1';
/** Any number in JSON notation, in range. */
const ScoreQuery = z
  .string()
  .regex(/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/, { error: IS_NO_SCORE, abort: true })
  .transform(Number)
  .refine((score) => score >= 0 && score <= 1, IS_NO_SCORE);

const FindingQuery = z
  .strictObject({
    reviewStatus: z.enum(REVIEW_STATUSES).optional(),
    resolutionStatus: z.enum(RESOLUTION_STATUSES).optional(),
    severity: z.enum(SEVERITIES).optional(),
    minDiagnosticScore: ScoreQuery.optional(),
    lastDetectedAfter: EpochMsQuery.optional().meta({ description: 'Inclusive' }),
    lastDetectedBefore: EpochMsQuery.optional().meta({ description: 'Exclusive' }),
    ...pageQuery(500, 100),
  })
  .refine(
    ({ lastDetectedAfter, lastDetectedBefore }) =>
      lastDetectedAfter === undefined || lastDetectedBefore === undefined || lastDetectedAfter < lastDetectedBefore,
    { path: ['lastDetectedAfter'], message: 'must be earlier than lastDetectedBefore' },
  );
export type FindingQuery = z.infer<typeof FindingQuery>;

export const listFindings = defineRoute({
  operationId: 'listFindings',
  service: 'diagnostics-svc',
  method: 'get',
  path: '/v1/projects/:projectId/diagnostics/findings',
  tag: 'Findings',
  summary: 'List Finding clusters, last detected first',
  access: READ_FINDINGS,
  params: ProjectParams,
  query: FindingQuery,
  invalidQueryCode: 'INVALID_FILTER',
  responses: {
    200: z.object({
      findings: z.array(Finding),
      pagination: z.object({ limit: z.int(), nextCursor: z.string().nullable() }),
    }),
  },
});

export const getFinding = defineRoute({
  operationId: 'getFinding',
  service: 'diagnostics-svc',
  method: 'get',
  path: '/v1/projects/:projectId/diagnostics/findings/:findingId',
  tag: 'Findings',
  summary: 'Read one Finding',
  description: 'Also one that has left the list. The `ETag` changes with what people set, not with what is detected.',
  access: READ_FINDINGS,
  conditional: true,
  params: FindingParams,
  invalidQueryCode: 'INVALID_FILTER',
  errors: ['FINDING_NOT_FOUND'],
  responses: { 200: Finding },
});
