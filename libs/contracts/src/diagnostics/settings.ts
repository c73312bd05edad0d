import { z } from 'zod';
import { ProjectParams } from '../common/primitives.ts';
import { AUTO_MODEL, ModelName } from '../models/model-name.ts';
import { defineRoute } from '../route.ts';
import { ReviewMode } from './review.ts';

/** Ways in which compiled Expectations become active. */
export const EXPECTATION_ACTIVATIONS = ['grammar', 'manual'] as const;

const ExpectationActivation = z.enum(EXPECTATION_ACTIVATIONS).meta({
  description:
    'grammar: what the grammar compiles from a prompt is active. manual: it is proposed, and waits for a person',
});

/** Default limit of adjudication calls to models per project and day. */
export const DEFAULT_DAILY_ADJUDICATIONS = 200;

const DailyAdjudications = z.int().min(0).max(1_000_000).meta({
  description: 'Calls of models a day (UTC) that may be made to confirm or refute what Rules found; what is left waits',
});

const DailyReviews = z.int().min(0).max(1_000_000).meta({
  description:
    'Conversations a day (UTC) that a model may read; what is left waits. A comparison of new kinds of problems, by which those told in other words become one Finding, takes the place of one',
});

const ReviewModeSetting = ReviewMode.nullable().meta({
  description:
    'sampled: half of the daily reviews go to bad scores, half are drawn at random. null: sampled where `reviewModel` or the `adjudicationModel` of a Rule is set, or where a local model passes the judgement test, else off',
});

const ReviewModel = ModelName.refine((model) => model !== AUTO_MODEL, 'must name a model')
  .nullable()
  .meta({ description: 'null: the `adjudicationModel` of a Rule, else a local model that passes the judgement test' });

/** Clean exposures that verify a repair by default: 20 bound the recurrence at 14%, with 95% confidence. */
export const DEFAULT_REQUIRED_EXPOSURES = 20;

const RequiredExposures = z.int().min(1).max(1_000).meta({
  description:
    'Clean conversations that verify a repair: they started after it, could have shown the problem, and did not. With 95% confidence, it then occurs in at most this share of such conversations: 63% after 3, 26% after 10, 14% after 20, 3% after 100. It holds for repairs that are noticed from now on',
});

const ReopenOnRegression = z.boolean().meta({
  description:
    'Whether the issue of a Finding is reopened at its provider when the problem occurs again after its repair',
});

const DiagnosticSettings = z
  .object({
    automaticSchedulingEnabled: z.boolean(),
    expectationActivation: ExpectationActivation,
    dailyAdjudications: DailyAdjudications,
    reviewMode: ReviewModeSetting,
    reviewModel: ReviewModel,
    dailyReviews: DailyReviews,
    requiredExposures: RequiredExposures,
    reopenOnRegression: ReopenOnRegression,
  })
  .meta({ id: 'DiagnosticSettings' });
export type DiagnosticSettings = z.infer<typeof DiagnosticSettings>;
const SettingsResponse = z.object({ settings: DiagnosticSettings });

const DiagnosticSettingsChange = z
  .strictObject({
    automaticSchedulingEnabled: z.boolean().optional(),
    expectationActivation: ExpectationActivation.optional(),
    dailyAdjudications: DailyAdjudications.optional(),
    reviewMode: ReviewModeSetting.optional(),
    reviewModel: ReviewModel.optional(),
    dailyReviews: DailyReviews.optional(),
    requiredExposures: RequiredExposures.optional(),
    reopenOnRegression: ReopenOnRegression.optional(),
  })
  .refine((change) => Object.keys(change).length > 0, 'must hold at least one field');
export type DiagnosticSettingsChange = z.infer<typeof DiagnosticSettingsChange>;

export const getDiagnosticSettings = defineRoute({
  operationId: 'getDiagnosticSettings',
  sdk: 'diagnostics.settings.get',
  service: 'diagnostics-svc',
  method: 'get',
  path: '/v1/projects/:projectId/diagnostics/settings',
  tag: 'Findings',
  summary: 'Read the diagnostic settings',
  description:
    'Whether conversations are analysed by themselves, which models may judge, how much a day, and what verifies a repair.',
  access: { kind: 'caller', scopes: ['diagnostics:read'], permissions: ['project:diagnostics:read'] },
  params: ProjectParams,
  invalidQueryCode: 'INVALID_FILTER',
  responses: { 200: SettingsResponse },
});

export const updateDiagnosticSettings = defineRoute({
  operationId: 'updateDiagnosticSettings',
  sdk: 'diagnostics.settings.update',
  service: 'diagnostics-svc',
  method: 'patch',
  path: '/v1/projects/:projectId/diagnostics/settings',
  tag: 'Findings',
  summary: 'Change what runs by itself, what models may judge and read, and what verifies a repair',
  description: 'Members that are left out stay as they are.',
  access: { kind: 'caller', scopes: ['diagnostics:write'], permissions: ['project:diagnostics:write'] },
  params: ProjectParams,
  body: DiagnosticSettingsChange,
  invalidQueryCode: 'INVALID_FILTER',
  responses: { 200: SettingsResponse },
});
