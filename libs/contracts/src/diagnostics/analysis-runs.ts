import { z } from 'zod';
import { ConversationId, EpochMs, ProjectParams } from '../common/primitives.ts';
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
  service: 'diagnostics-svc',
  method: 'post',
  path: '/v1/projects/:projectId/diagnostics/analysis-runs',
  tag: 'Findings',
  summary: 'Queue the enabled Rules for one conversation snapshot',
  access: { kind: 'caller', scopes: ['diagnostics:write'], permissions: ['project:diagnostics:write'] },
  params: ProjectParams,
  body: NewAnalysisRun,
  invalidQueryCode: 'INVALID_FILTER',
  responses: { 202: z.object({ enabledRules: z.int().min(0), runsCreated: z.int().min(0) }) },
  errors: ['CONVERSATION_NOT_FOUND', 'DIAGNOSTIC_RULES_UNAVAILABLE'],
});
