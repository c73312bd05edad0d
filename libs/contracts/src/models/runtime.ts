import { z } from 'zod';
import { JsonObject, ProjectParams } from '../common/primitives.ts';
import { defineRoute, streamed } from '../route.ts';
import { ModelName } from './model-name.ts';
import {
  EngineInstallation,
  ModelDownload,
  ModelService,
  ProfileRemoval,
  RuntimeActivity,
  RuntimeSnapshot,
  ServiceOptions,
} from './runtime-records.ts';

const READ = { kind: 'caller', scopes: ['workspace:read'], permissions: ['project:read'] } as const;
const MANAGE = { kind: 'caller', scopes: ['models:manage'], permissions: ['project:models:manage'] } as const;
const TAG = 'Model Runtime';
const MODELS = '/v1/projects/:projectId/models';
const PROFILE = `${MODELS}/:modelId/profiles/:profileId` as const;

const EngineParams = ProjectParams.extend({ engine: z.string() });
const ProfileParams = ProjectParams.extend({ modelId: z.string(), profileId: z.string() });
const GenerationParam = z
  .string()
  .regex(/^[1-9]\d{0,14}$/)
  .transform(Number)
  .pipe(z.int().min(1).max(999_999_999_999_999));

const REMOVAL =
  'Answers 202 while the node removes it, 204 once nothing of it is left for the project; safe to repeat.';
const REMOVAL_OF_GENERATION =
  `${REMOVAL} A generation older than the one that the project has is 409 GENERATION_SUPERSEDED, one that it never had ` +
  'is 404.';

export const getRuntime = defineRoute({
  operationId: 'getModelRuntime',
  sdk: 'models.runtime',
  service: 'model-runtime-svc',
  method: 'get',
  path: `${MODELS}/runtime`,
  tag: TAG,
  summary: 'Read the runtime snapshot: node, engines, downloads, services',
  description: 'What this deployment runs for the project on its own hardware, and how far it is.',
  access: READ,
  params: ProjectParams,
  responses: { 200: RuntimeSnapshot },
  errors: ['MODEL_RUNTIME_UNAVAILABLE'],
});

export const getModelActivity = defineRoute({
  operationId: 'getModelActivity',
  sdk: 'models.activity',
  service: 'model-runtime-svc',
  method: 'get',
  path: `${MODELS}/activity`,
  tag: TAG,
  summary: 'Read what the runtime is doing for the project, with progress and logs',
  description:
    'With `Accept: text/event-stream`, a stream of events `activity`, each an entry that is new or has changed, and ' +
    'a comment line every 15 seconds. The first events tell all entries; the stream ends with the connection.',
  access: READ,
  params: ProjectParams,
  responses: {
    200: streamed({
      'application/json': z.object({ activity: z.array(RuntimeActivity) }),
      'text/event-stream': RuntimeActivity,
    }),
  },
  errors: ['MODEL_RUNTIME_UNAVAILABLE'],
});

export const installEngine = defineRoute({
  operationId: 'installEngine',
  sdk: 'models.engines.install',
  service: 'model-runtime-svc',
  method: 'post',
  path: `${MODELS}/engines/:engine/installations`,
  tag: TAG,
  summary: 'Install an engine',
  description: 'Answers 200 with its record when it is ready, else 202; then its state tells when it is done.',
  access: MANAGE,
  params: EngineParams,
  body: z.strictObject({}).optional(),
  responses: { 200: EngineInstallation, 202: EngineInstallation },
  errors: ['ENGINE_NOT_FOUND', 'INSUFFICIENT_DISK', 'MODEL_RUNTIME_UNAVAILABLE'],
});

export const removeEngineInstallation = defineRoute({
  operationId: 'removeEngineInstallation',
  sdk: 'models.engines.removeInstallation',
  service: 'model-runtime-svc',
  method: 'delete',
  path: `${MODELS}/engines/:engine/installations/:generation`,
  tag: TAG,
  summary: 'Cancel or remove one installation generation',
  description: REMOVAL_OF_GENERATION,
  access: MANAGE,
  params: EngineParams.extend({ generation: GenerationParam }),
  responses: { 202: EngineInstallation, 204: null },
  errors: ['ENGINE_NOT_FOUND', 'CONFLICT', 'GENERATION_SUPERSEDED', 'MODEL_RUNTIME_UNAVAILABLE'],
});

export const removeEngine = defineRoute({
  operationId: 'removeEngine',
  sdk: 'models.engines.remove',
  service: 'model-runtime-svc',
  method: 'delete',
  path: `${MODELS}/engines/:engine`,
  tag: TAG,
  summary: 'Remove an engine',
  description: `The last project that has it removes it from the node. 409 while the project runs a service on it. ${REMOVAL}`,
  access: MANAGE,
  params: EngineParams,
  responses: { 202: EngineInstallation, 204: null },
  errors: ['ENGINE_NOT_FOUND', 'CONFLICT', 'MODEL_RUNTIME_UNAVAILABLE'],
});

export const startDownload = defineRoute({
  operationId: 'startModelDownload',
  sdk: 'models.downloads.start',
  service: 'model-runtime-svc',
  method: 'post',
  path: `${PROFILE}/downloads`,
  tag: TAG,
  summary: 'Download the artifacts of a profile',
  description: 'Answers 200 with its record when they are there already, else 202.',
  access: MANAGE,
  params: ProfileParams,
  body: z.strictObject({}).optional(),
  responses: { 200: ModelDownload, 202: ModelDownload },
  errors: ['MODEL_NOT_FOUND', 'PROFILE_NOT_FOUND', 'INSUFFICIENT_DISK', 'MODEL_RUNTIME_UNAVAILABLE'],
});

export const removeDownload = defineRoute({
  operationId: 'removeModelDownload',
  sdk: 'models.downloads.remove',
  service: 'model-runtime-svc',
  method: 'delete',
  path: `${PROFILE}/downloads/:generation`,
  tag: TAG,
  summary: 'Cancel or remove one download generation',
  description: REMOVAL_OF_GENERATION,
  access: MANAGE,
  params: ProfileParams.extend({ generation: GenerationParam }),
  responses: { 202: ModelDownload, 204: null },
  errors: ['MODEL_NOT_FOUND', 'PROFILE_NOT_FOUND', 'CONFLICT', 'GENERATION_SUPERSEDED', 'MODEL_RUNTIME_UNAVAILABLE'],
});

export const startModelService = defineRoute({
  operationId: 'startModelService',
  sdk: 'models.services.start',
  service: 'model-runtime-svc',
  method: 'put',
  path: `${PROFILE}/service`,
  tag: TAG,
  summary: 'Start the local service of a profile',
  description: 'Answers 200 with its record when it is ready already, else 202.',
  access: MANAGE,
  params: ProfileParams,
  body: ServiceOptions.optional(),
  responses: { 200: ModelService, 202: ModelService },
  errors: [
    'MODEL_NOT_FOUND',
    'PROFILE_NOT_FOUND',
    'ENGINE_NOT_INSTALLED',
    'ARTIFACT_NOT_DOWNLOADED',
    'INSUFFICIENT_MEMORY',
    'CONFLICT',
    'MODEL_RUNTIME_UNAVAILABLE',
  ],
});

export const stopModelService = defineRoute({
  operationId: 'stopModelService',
  sdk: 'models.services.stop',
  service: 'model-runtime-svc',
  method: 'delete',
  path: `${PROFILE}/service`,
  tag: TAG,
  summary: 'Stop the local service of a profile',
  description: `The last project that uses it stops the process. ${REMOVAL}`,
  access: MANAGE,
  params: ProfileParams,
  responses: { 202: ModelService, 204: null },
  errors: ['MODEL_NOT_FOUND', 'PROFILE_NOT_FOUND', 'MODEL_RUNTIME_UNAVAILABLE'],
});

export const removeProfile = defineRoute({
  operationId: 'removeModelProfile',
  sdk: 'models.profiles.remove',
  service: 'model-runtime-svc',
  method: 'delete',
  path: PROFILE,
  tag: TAG,
  summary: 'Remove a profile: its service and its artifacts',
  description: REMOVAL,
  access: MANAGE,
  params: ProfileParams,
  responses: { 202: ProfileRemoval, 204: null },
  errors: ['MODEL_NOT_FOUND', 'PROFILE_NOT_FOUND', 'CONFLICT', 'MODEL_RUNTIME_UNAVAILABLE'],
});

/** OpenAI-compatible paths that a trial may name. */
export const TRIAL_PATHS = [
  '/v1/chat/completions',
  '/v1/completions',
  '/v1/embeddings',
  '/v1/audio/transcriptions',
] as const;
export const TrialPath = z.enum(TRIAL_PATHS, { message: `must be one of ${TRIAL_PATHS.join(', ')}` });
export type TrialPath = z.infer<typeof TrialPath>;

export const TrialRequest = z.strictObject({
  path: TrialPath,
  contentType: z.enum(['application/json', 'multipart/form-data']),
  body: JsonObject.meta({
    description:
      'The native body of that path, with `model` as `self/<modelId>`. For multipart/form-data each member is a field; ' +
      'a file is `{filename, contentType, base64}`.',
  }),
});
export type TrialRequest = z.infer<typeof TrialRequest>;

/** Fields of a trial sent as a form; the form's native parts are sent beside them. */
export const TrialForm = z.looseObject({
  path: TrialPath,
  contentType: z.literal('multipart/form-data'),
});

export const runTrial = defineRoute({
  operationId: 'runModelTrial',
  sdk: 'models.trial',
  service: 'model-runtime-svc',
  method: 'post',
  path: `${PROFILE}/trials`,
  tag: TAG,
  summary: 'Forward a request to the running service of a profile',
  description:
    'The answer is the native one of the path, streamed where the body asks for it. A multipart trial may also be sent ' +
    'as a multipart/form-data request with the fields `path` and `contentType` and the native parts beside them.',
  access: {
    kind: 'caller',
    scopes: ['gateway:invoke', 'project:data:write'],
    permissions: ['gateway:invoke', 'project:data:write'],
  },
  routeClass: 'audio',
  ownBody: {
    'application/json': TrialRequest,
    'multipart/form-data': TrialForm.extend({ model: ModelName, file: z.string().meta({ format: 'binary' }) }),
  },
  params: ProfileParams,
  responses: { 200: streamed({ 'application/json': JsonObject, 'text/event-stream': null, '*/*': null }) },
  errors: ['MODEL_NOT_FOUND', 'PROFILE_NOT_FOUND', 'SERVICE_NOT_RUNNING', 'MODEL_RUNTIME_UNAVAILABLE'],
});
