import { z } from 'zod';
import { commaList } from '../common/counts.ts';
import { ConversationId, EpochMs, EpochMsQuery, pageQuery, ProjectParams } from '../common/primitives.ts';
import { defineRoute } from '../route.ts';

export const NewAnalysisRun = z.strictObject({
  conversationId: ConversationId,
  lastActivityAt: EpochMs,
  traceIds: z
    .array(z.unknown())
    .max(10_000)
    .transform((entries) => entries.filter((entry): entry is string => typeof entry === 'string'))
    .optional()
    .meta({ description: 'Entries that are not strings are left out' }),
});

export const createAnalysisRuns = defineRoute({
  operationId: 'createAnalysisRuns',
  sdk: 'analysisRuns.create',
  service: 'diagnostics-svc',
  method: 'post',
  path: '/v1/projects/:projectId/diagnostics/analysis-runs',
  tag: 'Findings',
  summary: 'Queue the enabled Rules for one conversation snapshot',
  description:
    'For a conversation that was analysed before its Rules were changed, or in a project where nothing runs by itself. Runs that exist already are not repeated.',
  access: { kind: 'caller', scopes: ['diagnostics:write'], permissions: ['project:diagnostics:write'] },
  params: ProjectParams,
  body: NewAnalysisRun,
  invalidQueryCode: 'INVALID_FILTER',
  responses: { 202: z.object({ enabledRules: z.int().min(0), runsCreated: z.int().min(0) }) },
  errors: ['CONVERSATION_NOT_FOUND', 'DIAGNOSTIC_RULES_UNAVAILABLE'],
});

const ANALYSIS_RUNS = '/v1/projects/:projectId/diagnostics/analysis-runs';
const READ = { kind: 'caller', scopes: ['diagnostics:read'], permissions: ['project:diagnostics:read'] } as const;

/** States of the runs on a snapshot together: `failed` if any of them did, once all have ended. */
export const ANALYSIS_STATES = ['queued', 'completed', 'failed'] as const;
export type AnalysisState = (typeof ANALYSIS_STATES)[number];

/** Reasons for which a snapshot is analysed at first. */
export const ANALYSIS_TRIGGERS = ['automatic', 'request', 'discovery', 'backfill', 'expectations'] as const;
export type AnalysisTrigger = (typeof ANALYSIS_TRIGGERS)[number];

/** Runs of all Rules on one snapshot of a conversation. */
export const AnalysisRuns = z
  .object({
    analysisId: z.string(),
    conversationId: z.string(),
    snapshotId: z.string(),
    createdAt: EpochMs,
    endedAt: EpochMs.nullable().meta({ description: 'null while a run is queued' }),
    state: z.enum(ANALYSIS_STATES).meta({ description: 'failed: all have ended, and one or more of them failed' }),
    trigger: z
      .enum(ANALYSIS_TRIGGERS)
      .nullable()
      .meta({ description: 'What queued the first of the runs; null for an earlier record, which does not say it' }),
    runs: z.array(
      z.object({
        ruleId: z.string(),
        revision: z.string().optional().meta({ description: 'Of its configuration; absent for the first' }),
        state: z.enum(['queued', 'succeeded', 'failed', 'skipped']),
        reason: z.string().nullable().meta({ description: 'Why it failed or was skipped' }),
        findingIds: z.array(z.string()).meta({ description: 'What the Rule found in the snapshot' }),
      }),
    ),
  })
  .meta({ id: 'AnalysisRuns' });
export type AnalysisRuns = z.infer<typeof AnalysisRuns>;

const AnalysisRunsQuery = z.strictObject({
  conversationId: z.string().min(1).max(512).optional(),
  state: commaList(ANALYSIS_STATES).optional(),
  trigger: commaList(ANALYSIS_TRIGGERS).optional(),
  createdAfter: EpochMsQuery.optional().meta({ description: 'At this time or later' }),
  createdBefore: EpochMsQuery.optional().meta({ description: 'Before this time' }),
  ...pageQuery(200, 50),
});
export type AnalysisRunsQuery = z.infer<typeof AnalysisRunsQuery>;

export const listAnalysisRuns = defineRoute({
  operationId: 'listAnalysisRuns',
  sdk: 'analysisRuns.list',
  service: 'diagnostics-svc',
  method: 'get',
  path: ANALYSIS_RUNS,
  tag: 'Findings',
  summary: 'List the Analysis Runs by the snapshot that they are on, newest first',
  description:
    'With `state` or `trigger`, a page may hold fewer than `limit`, or none; only a null `nextCursor` says that it is the last.',
  access: READ,
  params: ProjectParams,
  query: AnalysisRunsQuery,
  invalidQueryCode: 'INVALID_FILTER',
  responses: { 200: z.object({ analysisRuns: z.array(AnalysisRuns), nextCursor: z.string().nullable() }) },
  errors: ['DIAGNOSTIC_RULES_UNAVAILABLE'],
});

export const getAnalysisRuns = defineRoute({
  operationId: 'getAnalysisRuns',
  sdk: 'analysisRuns.get',
  service: 'diagnostics-svc',
  method: 'get',
  path: `${ANALYSIS_RUNS}/:analysisId`,
  tag: 'Findings',
  summary: 'Read the Analysis Runs on one snapshot',
  description: 'One Run for each Rule, with its state, why it did not run, and the Findings that it led to.',
  access: READ,
  params: ProjectParams.extend({ analysisId: z.string() }),
  invalidQueryCode: 'INVALID_FILTER',
  ended: { member: 'state', values: ['completed', 'failed'] },
  responses: { 200: AnalysisRuns },
  errors: ['DIAGNOSTIC_RULES_UNAVAILABLE'],
});
