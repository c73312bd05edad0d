import { z } from 'zod';
import { EpochMs } from '../common/primitives.ts';
import { Waiting } from '../common/waiting.ts';
import { defineRoute } from '../route.ts';
import { ConversationParams } from '../telemetry/conversations.ts';
import { EvidenceLocation, Severity } from './detection.ts';
import { RESOLUTION_STATUSES, REVIEW_STATUSES } from './findings.ts';
import { ReviewVerdict } from './review.ts';
import { Suspect } from './suspect.ts';

/** Maximum number of symptoms that are reported for a conversation, the most severe first. */
export const MAX_SYMPTOMS = 100;

export const Symptom = z
  .object({
    ruleKey: z.string(),
    findingId: z.string(),
    title: z.string(),
    severity: Severity.meta({ description: 'In this conversation; the Finding has the worst of all' }),
    score: z.number().min(0).max(1),
    signals: z.array(z.string()),
    location: EvidenceLocation.meta({ description: 'Where it shows; what caused it may lie before' }),
  })
  .meta({ id: 'Symptom' });
export type Symptom = z.infer<typeof Symptom>;

/** Source of a conversation's score. */
export const ScoreSource = z
  .discriminatedUnion('kind', [
    z
      .object({
        kind: z.literal('rules'),
        recalibrated: z.boolean().meta({
          description: "Whether the score was fitted to the project's own reviews or scores; see the score calibration",
        }),
      })
      .meta({ description: 'What the Rules counted' }),
    z
      .object({
        kind: z.literal('review'),
        model: z.string(),
        verdict: ReviewVerdict,
        wanted: z.string().meta({ description: 'What the user wanted' }),
        reviewedAt: EpochMs,
      })
      .meta({ description: 'A model has read the conversation' }),
  ])
  .meta({ id: 'ScoreSource' });

export const ConversationDiagnosis = z
  .object({
    conversationId: z.string(),
    snapshotId: z.string().nullable().meta({ description: 'What score and suspects are of; null before the first' }),
    score: z.number().min(0).max(1).nullable().meta({ description: 'How likely the conversation went wrong' }),
    scoreSource: ScoreSource.nullable().meta({ description: 'null where there is no score' }),
    symptoms: z.array(Symptom).max(MAX_SYMPTOMS).meta({ description: 'The gravest first' }),
    suspects: z.array(Suspect).meta({ description: 'With which step it may have begun, the likeliest first' }),
    reviewWaiting: Waiting.optional().meta({ description: 'Where a model is to read it, and was not asked yet' }),
    findings: z.array(
      z.object({
        id: z.string(),
        title: z.string(),
        severity: Severity,
        diagnosticScore: z.number().min(0).max(1),
        reviewStatus: z.enum(REVIEW_STATUSES),
        resolutionStatus: z.enum(RESOLUTION_STATUSES),
      }),
    ),
  })
  .meta({ id: 'ConversationDiagnosis' });
export type ConversationDiagnosis = z.infer<typeof ConversationDiagnosis>;

export const getConversationDiagnosis = defineRoute({
  operationId: 'getConversationDiagnosis',
  sdk: 'conversations.diagnosis',
  service: 'diagnostics-svc',
  method: 'get',
  path: '/v1/projects/:projectId/diagnostics/conversations/:conversationId',
  tag: 'Findings',
  summary: 'Read how one conversation went, and where the trouble may have begun',
  description:
    'A score, up to three steps where the trouble may have begun with the reasons for each, the symptoms, and the Findings that this conversation is part of.',
  access: { kind: 'caller', scopes: ['diagnostics:read'], permissions: ['project:diagnostics:read'] },
  params: ConversationParams,
  invalidQueryCode: 'INVALID_FILTER',
  errors: ['CONVERSATION_NOT_FOUND'],
  responses: { 200: ConversationDiagnosis },
});
