import { z } from 'zod';
import { ConversationId, ProjectParams } from '../common/primitives.ts';
import { defineRoute } from '../route.ts';
import { EvidenceLocation, Severity } from './detection.ts';
import { RESOLUTION_STATUSES, REVIEW_STATUSES } from './findings.ts';

/** Maximum number of conversations whose diagnoses are read in one answer. */
export const MAX_DIAGNOSED_CONVERSATIONS = 100;
/** Maximum number of problems of one conversation that are read, the gravest first. */
export const MAX_PROBLEMS_OF_CONVERSATION = 50;

/** Occurrence of a Finding in a conversation, with the state of the Finding that it counts for. */
export const DiagnosedProblem = z.object({
  findingId: z.string(),
  ruleKey: z.string(),
  severity: Severity.meta({ description: 'In this conversation' }),
  title: z.string(),
  causeAssessment: z.string(),
  remediationHint: z.string(),
  anchor: EvidenceLocation.meta({ description: 'Where it went wrong' }),
  location: EvidenceLocation.meta({ description: 'Where it shows' }),
  reviewStatus: z.enum(REVIEW_STATUSES),
  resolutionStatus: z.enum(RESOLUTION_STATUSES),
});
export type DiagnosedProblem = z.infer<typeof DiagnosedProblem>;

export const DiagnosedConversation = z.object({
  conversationId: z.string(),
  snapshotId: z.string().nullable().meta({ description: 'The latest that was diagnosed; null before the first' }),
  score: z.number().min(0).max(1).nullable().meta({ description: 'How likely it went wrong, as its diagnosis tells' }),
  problems: z.array(DiagnosedProblem).max(MAX_PROBLEMS_OF_CONVERSATION).meta({ description: 'The gravest first' }),
});
export type DiagnosedConversation = z.infer<typeof DiagnosedConversation>;

/** Internal: what is known of conversations from which Examples may be collected. */
export const readDiagnosedConversations = defineRoute({
  operationId: 'readDiagnosedConversations',
  service: 'diagnostics-svc',
  method: 'post',
  path: '/internal/v1/projects/:projectId/diagnosed-conversations/read',
  tag: 'Internal',
  summary: 'Read what conversations show; those that no result has mentioned are left out',
  access: { kind: 'internal', services: ['jobs-worker', 'datasets-svc'] },
  params: ProjectParams,
  body: z.strictObject({ conversationIds: z.array(ConversationId).min(1).max(MAX_DIAGNOSED_CONVERSATIONS) }),
  responses: { 200: z.object({ conversations: z.array(DiagnosedConversation) }) },
});
