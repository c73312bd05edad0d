import { z } from 'zod';
import { EpochMs, EpochMsQuery, pageQuery } from '../common/primitives.ts';
import { defineRoute } from '../route.ts';
import { EvidenceLocation, Severity } from './detection.ts';
import { FindingParams, READ_FINDINGS } from './findings.ts';

const FINDING = '/v1/projects/:projectId/diagnostics/findings/:findingId';

export const FindingOccurrence = z
  .object({
    conversationId: z.string(),
    findingId: z
      .string()
      .meta({ description: 'The Finding that it was found as, where that was merged into this one' }),
    severity: Severity,
    diagnosticScore: z.number().min(0).max(1),
    diagnosticConfidence: z.number().min(0).max(1),
    title: z.string(),
    summary: z.string(),
    diagnosticAnchor: EvidenceLocation,
    evidenceSnapshotRevision: z.string(),
    evidenceThroughMs: EpochMs,
    conversationStartedAt: EpochMs,
    firstDetectedAt: EpochMs,
    lastDetectedAt: EpochMs,
  })
  .meta({ id: 'FindingOccurrence' });
export type FindingOccurrence = z.infer<typeof FindingOccurrence>;

export const listFindingOccurrences = defineRoute({
  operationId: 'listFindingOccurrences',
  sdk: 'findings.occurrences.list',
  service: 'diagnostics-svc',
  method: 'get',
  path: `${FINDING}/occurrences`,
  tag: 'Findings',
  summary: 'List the conversations that show a Finding, the one that was found last first',
  description: 'Each with the places in the conversation that are the evidence, quoted word for word.',
  access: READ_FINDINGS,
  params: FindingParams,
  query: z.strictObject(pageQuery(500, 100)),
  invalidQueryCode: 'INVALID_FILTER',
  responses: { 200: z.object({ occurrences: z.array(FindingOccurrence), nextCursor: z.string().nullable() }) },
  errors: ['FINDING_NOT_FOUND'],
});

/** Maximum number of intervals that one answer counts. */
export const MAX_COUNTED_INTERVALS = 1_000;

export const countFindingOccurrences = defineRoute({
  operationId: 'countFindingOccurrences',
  sdk: 'findings.occurrences.count',
  service: 'diagnostics-svc',
  method: 'get',
  path: `${FINDING}/occurrence-counts`,
  tag: 'Findings',
  summary: 'Count the conversations that show a Finding, by when they started',
  description: `Up to ${MAX_COUNTED_INTERVALS} intervals; those without a conversation are left out.`,
  access: READ_FINDINGS,
  params: FindingParams,
  query: z
    .strictObject({
      startMs: EpochMsQuery,
      endMs: EpochMsQuery.meta({ description: 'Exclusive' }),
      intervalMs: EpochMsQuery.pipe(z.int().min(1_000)),
    })
    .refine(({ startMs, endMs }) => startMs < endMs, { path: ['startMs'], message: 'must be earlier than endMs' })
    .refine(({ startMs, endMs, intervalMs }) => endMs - startMs <= intervalMs * MAX_COUNTED_INTERVALS, {
      path: ['intervalMs'],
      message: `must leave at most ${MAX_COUNTED_INTERVALS} intervals`,
    }),
  invalidQueryCode: 'INVALID_FILTER',
  responses: { 200: z.object({ counts: z.array(z.object({ startMs: EpochMs, occurrences: z.int().min(1) })) }) },
  errors: ['FINDING_NOT_FOUND'],
});
