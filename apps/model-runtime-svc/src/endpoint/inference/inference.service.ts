import type { z } from 'zod';
import {
  ChatCompletionRequest,
  CompletionRequest,
  CONVERSATION_ID_HEADER,
  ConversationId,
  EmbeddingsRequest,
  MODEL_PURPOSE_HEADER,
  ModelPurpose,
} from '@clew/contracts';
import { decodeUtf8, parseJsonText, parsePart, readBody, type RequestContext } from '@clew/http';
import { AppError, toAppError, type Clock, type SharedBudget } from '@clew/kernel';
import { beginCall, type CallInProgress, type FinishedCall, type Operation } from '../recording/finished-call.ts';
import { isRecord, type JsonRecord } from '../recording/values.ts';
import type { CallProvider, ProviderCall } from './call-provider.ts';
import type { Endpoints, ModelEndpoint } from '../providers/endpoints.ts';
import { prependMember, replaceMembers } from './json-members.ts';
import { relayAnswer } from './relay-answer.ts';

export interface InferenceDependencies {
  endpoints: Endpoints;
  callProvider: CallProvider;
  /** Records a finished call; must neither wait nor throw. */
  record: (call: FinishedCall) => void;
  /** Throws if the project's budget for the system's own calls is used up. */
  requireSystemBudget: (projectId: string) => Promise<void>;
  /** Throws if a quota of the project's tokens is used up. */
  requireTokenQuota: (projectId: string) => Promise<void>;
  /** Budget in bytes of bodies. */
  memory: SharedBudget;
  maxBodyBytes: number;
  clock: Clock;
}

export type JsonOperation = Exclude<Operation, 'transcription'>;

export interface InferenceService {
  /** Serves a call on the response of the context. Throws an AppError if nothing was sent yet. */
  serveJson(operation: JsonOperation, projectId: string, context: RequestContext): Promise<void>;
  /** Serves a call whose request has already been read. */
  serve(projectId: string, context: RequestContext, call: PreparedCall): Promise<void>;
}

/** Call whose request has been read. */
export interface PreparedCall {
  operation: Operation;
  request: JsonRecord & { model: string };
  requestBytes: number;
  /** Builds the request to the provider, with the model's name at the provider. */
  outgoing: (model: string) => Promise<Pick<ProviderCall, 'body' | 'headers'>>;
  hidesUsage: boolean;
}

const SCHEMAS: Readonly<Record<JsonOperation, z.ZodType<JsonRecord & { model: string }>>> = {
  chat: ChatCompletionRequest,
  text_completion: CompletionRequest,
  embeddings: EmbeddingsRequest,
};
const PATHS: Readonly<Record<Operation, string>> = {
  chat: '/chat/completions',
  text_completion: '/completions',
  embeddings: '/embeddings',
  transcription: '/audio/transcriptions',
};
/** Headers that are switches of a provider's own API, and are passed on unread. */
const PASSED_HEADERS = ['openai-beta', 'anthropic-beta', 'idempotency-key'];

export function createInferenceService(deps: InferenceDependencies): InferenceService {
  const { endpoints, clock, memory } = deps;
  const maxBodyBytes = Math.min(deps.maxBodyBytes, memory.mostUnitsOfOne);

  async function serve(projectId: string, context: RequestContext, call: PreparedCall): Promise<void> {
    const { caller, request, signal } = context;
    if (caller === undefined) throw new AppError('UNAUTHENTICATED', 'Authentication is required');
    const startedAtMs = clock.now();
    const conversationId = namedConversation(context, call.request);
    await deps.requireTokenQuota(projectId);
    if (caller.principal.kind === 'service') await deps.requireSystemBudget(projectId);
    const endpoint = await endpoints.find(projectId, call.request.model, purposeOf(call.operation, context));
    const traceparent = request.headers['traceparent'];
    const progress = beginCall({
      ...{ projectId, endpoint, conversationId, startedAtMs, requestId: context.requestId },
      ...{ operation: call.operation, request: call.request, requestBytes: call.requestBytes },
      principal: caller.principal,
      traceparent: typeof traceparent === 'string' ? traceparent : undefined,
    });
    try {
      await exchange(endpoint, context, call, progress);
      deps.record(progress.end(clock.now()));
    } catch (error) {
      const failure = signal.aborted ? undefined : toAppError(error);
      deps.record(progress.end(clock.now(), failure?.code.toLowerCase() ?? 'cancelled'));
      // Throws only if nothing was sent: otherwise nobody is left to answer, or the answer has begun and was ended as
      // well as possible.
      if (failure !== undefined && !context.response.headersSent) throw failure;
    }
  }

  async function exchange(
    endpoint: ModelEndpoint,
    { request, response, signal }: RequestContext,
    call: PreparedCall,
    progress: CallInProgress,
  ): Promise<void> {
    const outgoing = await call.outgoing(endpoint.model);
    const passed = PASSED_HEADERS.flatMap((name) => {
      const value = request.headers[name];
      return typeof value === 'string' ? [[name, value] as const] : [];
    });
    const answer = await deps.callProvider({
      endpoint,
      path: PATHS[call.operation],
      headers: { ...Object.fromEntries(passed), ...outgoing.headers },
      body: outgoing.body,
      signal,
    });
    await relayAnswer({
      ...{ answer, response, signal },
      observer: progress.observer,
      hidesUsage: call.hidesUsage,
      onFirstByte: () => progress.firstByte(clock.now()),
    });
  }

  return {
    serve,
    async serveJson(operation, projectId, context) {
      const { hold, release } = memory.open(projectId);
      try {
        const bytes = await readBody(context.request, maxBodyBytes, hold);
        await serve(projectId, context, prepareJson(operation, bytes, context.request.headers['content-type']));
      } finally {
        release();
      }
    },
  };
}

function prepareJson(operation: JsonOperation, bytes: Buffer, contentType: string | undefined): PreparedCall {
  if (contentType?.split(';', 1)[0]?.trim().toLowerCase() !== 'application/json') {
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'content-type must be application/json');
  }
  const text = decodeUtf8(bytes);
  const request = parsePart('body', SCHEMAS[operation], parseJsonText(text));
  // A stream reports its token usage only with this option.
  const addsUsage = operation !== 'embeddings' && request['stream'] === true && request['stream_options'] === undefined;
  return {
    operation,
    request,
    requestBytes: bytes.length,
    hidesUsage: addsUsage,
    async outgoing(model) {
      const renamed = replaceMembers(text, { model: JSON.stringify(model) });
      const body = addsUsage ? prependMember(renamed, 'stream_options', '{"include_usage":true}') : renamed;
      return { body, headers: { 'content-type': 'application/json' } };
    },
  };
}

/** Finds the conversation that the caller named, in the header or in the metadata of the request. */
function namedConversation({ request }: RequestContext, body: JsonRecord): string | undefined {
  const header = request.headers[CONVERSATION_ID_HEADER];
  const metadata = body['metadata'];
  const inMetadata = isRecord(metadata) ? metadata['conversation_id'] : undefined;
  const named = header ?? inMetadata;
  if (named === undefined || named === '') return undefined;
  const path = header === undefined ? 'body.metadata.conversation_id' : `headers.${CONVERSATION_ID_HEADER}`;
  const parsed = ConversationId.safeParse(named);
  if (parsed.success) return parsed.data;
  const message = parsed.error.issues[0]?.message ?? 'is not valid';
  throw new AppError('VALIDATION_FAILED', `${path}: ${message}`, { details: [{ path, message }] });
}

/** Purpose of a chat model; only services may set it. */
function purposeOf(operation: Operation, { caller, request }: RequestContext): ModelPurpose {
  if (operation === 'embeddings') return 'embedding';
  if (caller?.principal.kind !== 'service') return 'general';
  return ModelPurpose.catch('general').parse(request.headers[MODEL_PURPOSE_HEADER]);
}
