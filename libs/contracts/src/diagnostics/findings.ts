import { z } from 'zod';
import { EpochMs, EpochMsQuery, pageQuery, ProjectParams } from '../common/primitives.ts';
import { defineRoute } from '../route.ts';
import { Evidence, EvidenceLocation, SEVERITIES, Severity } from './detection.ts';

export const REVIEW_STATUSES = ['unreviewed', 'confirmed', 'dismissed'] as const;
export const RESOLUTION_STATUSES = ['unresolved', 'awaiting_verification', 'resolved', 'regressed'] as const;
export type ReviewStatus = (typeof REVIEW_STATUSES)[number];
export type ResolutionStatus = (typeof RESOLUTION_STATUSES)[number];

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
    workItem: z.null().meta({ description: 'The primary work item, or null' }),
  })
  .meta({ id: 'Finding' });
export type Finding = z.infer<typeof Finding>;

const READ = { kind: 'caller', scopes: ['diagnostics:read'], permissions: ['project:diagnostics:read'] } as const;

const IS_NO_SCORE = 'must be a number from 0 to 1';
/** Any number that JSON can write, in range. */
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
  access: READ,
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
  access: READ,
  params: ProjectParams.extend({ findingId: z.string() }),
  responses: { 200: Finding },
});
