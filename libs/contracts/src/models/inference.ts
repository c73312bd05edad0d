import { z } from 'zod';
import { ProjectParams } from '../common/primitives.ts';
import { defineRoute, streamed } from '../route.ts';
import { ModelName } from './model-name.ts';

const INVOKE = { kind: 'caller', scopes: ['gateway:invoke'], permissions: ['gateway:invoke'] } as const;
const INTERNAL = { kind: 'internal', services: ['jobs-worker', 'diagnostics-svc', 'datasets-svc'] } as const;
const INTERNAL_EMBEDDINGS = {
  kind: 'internal',
  services: ['jobs-worker', 'diagnostics-svc', 'knowledge-svc'],
} as const;

/** Header that names the conversation of a call; without it, the conversation is found by its messages. */
export const CONVERSATION_ID_HEADER = 'x-conversation-id';
/** Header of internal calls: the purpose that `service/auto` must serve. */
export const MODEL_PURPOSE_HEADER = 'x-clew-model-purpose';

/** Declares only the members that are read here; all others go to the provider unchanged. */
export const ChatCompletionRequest = z
  .looseObject({
    model: ModelName,
    messages: z
      .array(z.looseObject({ role: z.string().max(100) }))
      .min(1)
      .max(100_000),
    stream: z.boolean().nullish(),
  })
  .meta({ id: 'ChatCompletionRequest', description: 'As the OpenAI API has it' });

export const CompletionRequest = z
  .looseObject({ model: ModelName, prompt: z.unknown().optional(), stream: z.boolean().nullish() })
  .meta({ id: 'CompletionRequest', description: 'As the OpenAI API has it' });

export const EmbeddingsRequest = z
  .looseObject({ model: ModelName, input: z.unknown() })
  .meta({ id: 'EmbeddingsRequest', description: 'As the OpenAI API has it' });

export const TranscriptionRequest = z
  .looseObject({ model: ModelName, file: z.string().meta({ format: 'binary' }) })
  .meta({ id: 'TranscriptionRequest', description: 'As the OpenAI API has it' });

const AS_OPENAI_HAS_IT = z.looseObject({}).meta({ description: 'As the OpenAI API has it' });

/** Answer of the provider; whatever it streams is passed on as it is. */
const ANSWER = streamed({ 'application/json': AS_OPENAI_HAS_IT, 'text/event-stream': null });

/** Answer of the provider with its chunks, of which only the members that callers read are declared. */
function chunkedAnswer<Chunk extends z.ZodType>(chunk: Chunk) {
  return streamed({ 'application/json': AS_OPENAI_HAS_IT, 'text/event-stream': chunk });
}

const CHUNK =
  'As the OpenAI API has it; the last event is `[DONE]`, which is not JSON. If the provider fails in the middle, the last event is an error in the form of the OpenAI API.';

export const ChatCompletionChunk = z
  .looseObject({
    id: z.string().optional(),
    object: z.string().optional(),
    created: z.number().optional(),
    model: z.string().optional(),
    choices: z
      .array(
        z.looseObject({
          index: z.number().optional(),
          delta: z
            .looseObject({ role: z.string().nullish(), content: z.string().nullish(), refusal: z.string().nullish() })
            .nullish(),
          finish_reason: z.string().nullish(),
        }),
      )
      .nullish(),
    usage: z.looseObject({}).nullish().meta({ description: 'With `stream_options.include_usage`, in the last chunk' }),
  })
  .meta({ id: 'ChatCompletionChunk', description: CHUNK });

export const CompletionChunk = z
  .looseObject({
    id: z.string().optional(),
    object: z.string().optional(),
    created: z.number().optional(),
    model: z.string().optional(),
    choices: z
      .array(
        z.looseObject({
          index: z.number().optional(),
          text: z.string().nullish(),
          finish_reason: z.string().nullish(),
        }),
      )
      .nullish(),
    usage: z.looseObject({}).nullish(),
  })
  .meta({ id: 'CompletionChunk', description: CHUNK });

const COMMON = {
  method: 'post',
  tag: 'Inference',
  access: INVOKE,
  routeClass: 'inference',
  errorFormat: 'openai',
  responses: { 200: ANSWER },
  errors: [
    'PROVIDER_REFUSED',
    'OUTBOUND_REFUSED',
    'PROVIDER_CREDENTIALS_REFUSED',
    'SERVICE_NOT_RUNNING',
    'MODEL_UNAVAILABLE',
    'QUOTA_EXCEEDED',
    'PROVIDER_RATE_LIMITED',
    'PROVIDER_FAILED',
    'PROVIDER_UNAVAILABLE',
    'PROVIDER_TIMEOUT',
  ],
} as const;

export const createChatCompletion = defineRoute({
  ...COMMON,
  operationId: 'createChatCompletion',
  sdk: 'inference.chatCompletions.create',
  service: 'model-runtime-svc',
  path: '/v1/chat/completions',
  summary: 'Chat with a model: `<provider>/<model_name>`, `self/<model_id>` or `service/auto`',
  description:
    'Takes what clients of the OpenAI API send, with the base URL `/v1` of this deployment. The call becomes a conversation of the project; `x-conversation-id` names it, otherwise its messages do. `service/auto` is the model that the project has chosen. With `stream`, the answer comes as server-sent events.',
  ownBody: { 'application/json': ChatCompletionRequest },
  responses: { 200: chunkedAnswer(ChatCompletionChunk) },
});

export const createCompletion = defineRoute({
  ...COMMON,
  operationId: 'createCompletion',
  sdk: 'inference.completions.create',
  service: 'model-runtime-svc',
  path: '/v1/completions',
  summary: 'Complete a text',
  description:
    'As clients of the OpenAI API send it, for models that take a prompt instead of messages. With `stream`, the answer comes as server-sent events.',
  ownBody: { 'application/json': CompletionRequest },
  responses: { 200: chunkedAnswer(CompletionChunk) },
});

export const createEmbeddings = defineRoute({
  ...COMMON,
  operationId: 'createEmbeddings',
  sdk: 'inference.embeddings.create',
  service: 'model-runtime-svc',
  path: '/v1/embeddings',
  summary: 'Embed texts',
  description:
    'As clients of the OpenAI API send it; `input` is a text or a list of texts. The call is metered, and makes no conversation.',
  ownBody: { 'application/json': EmbeddingsRequest },
});

export const createTranscription = defineRoute({
  ...COMMON,
  operationId: 'createTranscription',
  sdk: 'inference.transcriptions.create',
  service: 'model-runtime-svc',
  path: '/v1/audio/transcriptions',
  summary: 'Transcribe a recording',
  description:
    'The recording is the field `file` of a form, as clients of the OpenAI API send it. The call is recorded and metered.',
  routeClass: 'audio',
  ownBody: { 'multipart/form-data': TranscriptionRequest },
});

export const listInferenceModels = defineRoute({
  operationId: 'listInferenceModels',
  sdk: 'inference.models.list',
  service: 'model-runtime-svc',
  method: 'get',
  path: '/v1/models',
  tag: 'Inference',
  summary: 'List the models that can be called, as the OpenAI API has it',
  description:
    'Those of the providers of the project, and local ones that run. Their ids go into `model` of the calls here.',
  access: INVOKE,
  errorFormat: 'openai',
  responses: {
    200: z.object({
      object: z.literal('list'),
      data: z.array(z.object({ id: z.string(), object: z.literal('model'), created: z.int(), owned_by: z.string() })),
    }),
  },
});

/** Internal: a service's own call. It is metered, but recorded in no conversation. */
export const createChatCompletionInternally = defineRoute({
  ...COMMON,
  operationId: 'createChatCompletionInternally',
  service: 'model-runtime-svc',
  path: '/internal/v1/projects/:projectId/chat/completions',
  tag: 'Internal',
  summary: 'Chat with a model for the system itself',
  access: INTERNAL,
  errors: [...COMMON.errors, 'TOKEN_BUDGET_EXHAUSTED'],
  params: ProjectParams,
  ownBody: { 'application/json': ChatCompletionRequest },
});

export const createEmbeddingsInternally = defineRoute({
  ...COMMON,
  operationId: 'createEmbeddingsInternally',
  service: 'model-runtime-svc',
  path: '/internal/v1/projects/:projectId/embeddings',
  tag: 'Internal',
  summary: 'Embed texts for the system itself',
  access: INTERNAL_EMBEDDINGS,
  errors: [...COMMON.errors, 'TOKEN_BUDGET_EXHAUSTED'],
  params: ProjectParams,
  ownBody: { 'application/json': EmbeddingsRequest },
});
