import { z } from 'zod';
import { EpochMs, ProjectParams } from '../common/primitives.ts';
import { Waiting } from '../common/waiting.ts';
import { defineRoute } from '../route.ts';
import { ConfidenceSource, Evidence, EvidenceLocation, Severity } from './detection.ts';
import { FindingQuery, RESOLUTION_STATUSES, REVIEW_STATUSES } from './finding-query.ts';
import { WorkItem } from './work-item.ts';

export { RESOLUTION_STATUSES, REVIEW_STATUSES, type ResolutionStatus, type ReviewStatus } from './finding-query.ts';

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
    workbenchUrl: z.string().optional().meta({ description: 'Its page for people' }),
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

export const listFindings = defineRoute({
  operationId: 'listFindings',
  sdk: 'findings.list',
  service: 'diagnostics-svc',
  method: 'get',
  path: '/v1/projects/:projectId/diagnostics/findings',
  tag: 'Findings',
  summary: 'List Finding clusters, last detected first',
  description:
    'With `sort`, by that field, the highest first. A page may hold fewer Findings than `limit`, even none, while there is a `nextCursor`: where several filters leave little, one request looks at a bounded number of Findings.',
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
  sdk: 'findings.get',
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
