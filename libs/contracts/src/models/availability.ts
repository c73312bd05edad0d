import { z } from 'zod';
import { EpochMs, pageQuery, ProjectParams } from '../common/primitives.ts';
import { defineRoute } from '../route.ts';
import { AUTO_MODEL, ModelName } from './model-name.ts';

const READ = { kind: 'caller', scopes: ['workspace:read'], permissions: ['project:read'] } as const;
const MANAGE = { kind: 'caller', scopes: ['models:manage'], permissions: ['project:models:manage'] } as const;

/** Observed capabilities of a model. Null: could not be determined. */
export const ModelCapabilities = z
  .object({
    chat: z.boolean(),
    jsonMode: z.boolean(),
    jsonSchema: z.boolean(),
    tools: z.boolean(),
    contextLength: z.int().min(1).nullable(),
    judgement: z.boolean().meta({ description: 'Whether it passed the built-in judgement test' }),
    judgementScore: z.number().min(0).max(1),
    embeddings: z.boolean().default(false).meta({
      description: 'Whether it answers `/v1/embeddings`; looked for where a model does not chat, or is there to embed',
    }),
  })
  .meta({ id: 'ModelCapabilities' });
export type ModelCapabilities = z.infer<typeof ModelCapabilities>;

export const UNAVAILABLE_REASONS = [
  'provider_not_found',
  'model_not_found',
  'service_not_running',
  'credentials_refused',
  'provider_unreachable',
  'no_chat',
  'no_json_mode',
  'no_embeddings',
  'judgement_not_passed',
  'no_suitable_model',
] as const;
export const UnavailableReason = z.enum(UNAVAILABLE_REASONS);
export type UnavailableReason = z.infer<typeof UnavailableReason>;

/** Reasons in words, as a continuation of "The model <name> is not available: ". */
export const UNAVAILABLE_TEXTS: Readonly<Record<UnavailableReason, string>> = {
  provider_not_found: 'the project has no such provider',
  model_not_found: 'its provider does not know it',
  service_not_running: 'its local service is not running',
  credentials_refused: 'its provider refuses the credentials',
  provider_unreachable: 'its provider cannot be reached',
  no_chat: 'it does not support Chat Completions',
  no_json_mode: 'it does not support JSON Mode',
  no_embeddings: 'it does not embed texts',
  judgement_not_passed: 'no model of the project passes the judgement test',
  no_suitable_model: 'the project has no suitable model',
};

/**
 * Purpose of a model: `judgement` requires one that passes the judgement test, `embedding` one that computes
 * embeddings.
 */
export const ModelPurpose = z.enum(['general', 'judgement', 'embedding']);
export type ModelPurpose = z.infer<typeof ModelPurpose>;

export const ModelAvailability = z
  .object({
    model: z.string(),
    available: z.boolean(),
    reason: UnavailableReason.nullable(),
    resolvedModel: z.string().nullable().meta({ description: 'What `service/auto` stands for just now' }),
    capabilities: ModelCapabilities.nullable(),
    checkedAt: EpochMs.nullable().meta({ description: 'When the capabilities were last probed' }),
  })
  .meta({ id: 'ModelAvailability' });
export type ModelAvailability = z.infer<typeof ModelAvailability>;

const AvailabilityQuery = z.strictObject({ model: ModelName, purpose: ModelPurpose.default('general') });

export const getModelAvailability = defineRoute({
  operationId: 'getModelAvailability',
  sdk: 'models.availability',
  service: 'model-runtime-svc',
  method: 'get',
  path: '/v1/projects/:projectId/models/availability',
  tag: 'Providers',
  summary: 'Whether a model can be used; probes it where nothing fresh is known',
  description:
    'For one model, or for `service/auto`: whether it answers, what it can do, and what `service/auto` stands for.',
  access: READ,
  params: ProjectParams,
  query: AvailabilityQuery,
  responses: { 200: ModelAvailability },
});

/** Maximum number of models per request: as many as a page of objects that name models can name. */
export const MAX_MODELS_ASKED = 1_000;
const MAX_WAIT_MS = 20_000;

/**
 * Accepts names of any form: an impossible name is reported as not available, and does not prevent the other answers.
 */
const AvailabilitiesRequest = z.strictObject({
  models: z.array(z.string().min(1).max(300)).min(1).max(MAX_MODELS_ASKED),
  purpose: ModelPurpose.default('general'),
  waitMs: z
    .int()
    .min(0)
    .max(MAX_WAIT_MS)
    .default(MAX_WAIT_MS)
    .meta({ description: 'How long the answer may wait for models that have to be probed' }),
});

/** Internal: availability for a service, of all models that it needs to know about at once. */
export const getModelAvailabilitiesInternally = defineRoute({
  operationId: 'getModelAvailabilitiesInternally',
  service: 'model-runtime-svc',
  method: 'post',
  path: '/internal/v1/projects/:projectId/models/availability',
  tag: 'Internal',
  summary: 'Whether models can be used',
  description:
    'Each model once, in no order. What takes longer than `waitMs` is answered as it was last known, and left out where nothing is known of it; asking again tells.',
  access: { kind: 'internal', services: ['jobs-worker', 'diagnostics-svc', 'datasets-svc', 'knowledge-svc'] },
  params: ProjectParams,
  body: AvailabilitiesRequest,
  responses: { 200: z.object({ availabilities: z.array(ModelAvailability) }) },
});

export const ModelSettings = z.object({
  defaultModel: z.string().nullable().meta({ description: 'What `service/auto` means; null: the best that is there' }),
  dailySystemTokens: z.int().min(0).nullable().meta({
    description: 'Tokens a day (UTC) that extraction, collection and adjudication may use; null: no limit',
  }),
});
export type ModelSettings = z.infer<typeof ModelSettings>;

export const ModelSettingsView = ModelSettings.extend({
  defaultModelState: z
    .object({
      status: z.enum(['checking', 'available', 'unavailable']),
      reason: UnavailableReason.nullable().meta({ description: 'Where it is unavailable' }),
      checkedAt: EpochMs.nullable().meta({ description: 'When it was last probed' }),
    })
    .nullable()
    .meta({ description: 'What is known of the default model; `checking` until it was looked at for the first time' }),
}).meta({ id: 'ModelSettings' });
export type ModelSettingsView = z.infer<typeof ModelSettingsView>;

const SETTINGS_PATH = '/v1/projects/:projectId/models/settings';

export const getModelSettings = defineRoute({
  operationId: 'getModelSettings',
  sdk: 'models.settings.get',
  service: 'model-runtime-svc',
  method: 'get',
  path: SETTINGS_PATH,
  tag: 'Providers',
  summary: 'Read the default model and the budget of the project',
  description:
    'The default model is what `service/auto` stands for; the budget limits what Clew itself asks of models in a day.',
  access: READ,
  params: ProjectParams,
  responses: { 200: z.object({ settings: ModelSettingsView }) },
});

export const updateModelSettings = defineRoute({
  operationId: 'updateModelSettings',
  sdk: 'models.settings.update',
  service: 'model-runtime-svc',
  method: 'patch',
  path: SETTINGS_PATH,
  tag: 'Providers',
  summary: 'Change the default model or the budget',
  description:
    'Answers at once: a default model that is not known to be missing is stored, and looked at afterwards; `defaultModelState` tells what came of it.',
  access: MANAGE,
  params: ProjectParams,
  body: z.strictObject({
    defaultModel: ModelName.refine((model) => model !== AUTO_MODEL, 'must name a model')
      .nullable()
      .optional(),
    dailySystemTokens: z.int().min(0).nullable().optional(),
  }),
  responses: { 200: z.object({ settings: ModelSettingsView }) },
});

export const DayUsage = z
  .object({
    day: z.string().meta({ description: 'UTC, YYYY-MM-DD' }),
    model: z.string(),
    operation: z.enum(['chat', 'text_completion', 'embeddings', 'transcription']),
    origin: z.enum(['caller', 'system']).meta({ description: 'Calls of applications, or of Clew for itself' }),
    calls: z.int(),
    failedCalls: z.int(),
    inputTokens: z.int(),
    outputTokens: z.int(),
  })
  .meta({ id: 'DayUsage' });
export type DayUsage = z.infer<typeof DayUsage>;

const Day = z.iso.date();

export const listModelUsage = defineRoute({
  operationId: 'listModelUsage',
  sdk: 'models.usage',
  service: 'model-runtime-svc',
  method: 'get',
  path: '/v1/projects/:projectId/models/usage',
  tag: 'Providers',
  summary: 'List calls and tokens by day and model, newest first',
  description:
    'Of calls through the endpoint and of those that Clew makes itself, told apart by `origin`. `getProjectUsage` adds costs.',
  access: READ,
  params: ProjectParams,
  query: z.strictObject({
    from: Day.optional().meta({ description: 'Inclusive, UTC' }),
    to: Day.optional().meta({ description: 'Inclusive, UTC' }),
    ...pageQuery(1000, 100),
  }),
  responses: { 200: z.object({ usage: z.array(DayUsage), nextCursor: z.string().nullable() }) },
});
