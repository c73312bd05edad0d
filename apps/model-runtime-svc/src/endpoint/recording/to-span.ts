import { ASKED_MODEL_ATTRIBUTE, ENDPOINT_SCOPE, type SpanRecord, type TelemetryGroup } from '@clew/contracts';
import { messagesOf } from './chat-messages.ts';
import type { FinishedCall, Operation, RecordedCall } from './finished-call.ts';
import { genAiAnswer, genAiMessage, genAiTools, type GenAiMessage } from './genai-messages.ts';
import { isRecord, textOf, type JsonRecord } from './values.ts';

/**
 * Maximum length of a span's messages as JSON; the oldest ones beyond it are left out. The warehouse accepts 8 MiB per
 * span.
 */
const MAX_MESSAGES_LENGTH = 3 * 1024 * 1024;
const CLIENT = 3;
const ERROR = 2;
const UNSET = 0;

const OPERATION_NAME: Readonly<Record<Operation, string>> = {
  chat: 'chat',
  text_completion: 'text_completion',
  embeddings: 'embeddings',
  transcription: 'transcription',
};

const REQUEST_ATTRIBUTES: Readonly<Record<string, string>> = {
  temperature: 'gen_ai.request.temperature',
  top_p: 'gen_ai.request.top_p',
  max_tokens: 'gen_ai.request.max_tokens',
  max_completion_tokens: 'gen_ai.request.max_tokens',
  frequency_penalty: 'gen_ai.request.frequency_penalty',
  presence_penalty: 'gen_ai.request.presence_penalty',
  seed: 'gen_ai.request.seed',
  n: 'gen_ai.request.choice.count',
};

/** Converts calls to telemetry, as if the application had been instrumented. */
export function toTelemetry(calls: readonly RecordedCall[]): TelemetryGroup {
  return {
    resource: { 'service.name': 'clew-endpoint' },
    scopeName: ENDPOINT_SCOPE,
    spans: calls.map(toSpan),
    logs: [],
  };
}

function toSpan({ call, conversationId }: RecordedCall): SpanRecord {
  const { parentSpanId, error } = call;
  return {
    traceId: call.traceId,
    spanId: call.spanId,
    ...(parentSpanId === undefined ? {} : { parentSpanId }),
    name: `${OPERATION_NAME[call.operation]} ${call.endpoint.model}`,
    kind: CLIENT,
    startTimeUnixNano: nanosOf(call.startedAtMs),
    // A call always takes some time, even if the clock does not show it.
    endTimeUnixNano: nanosOf(Math.max(call.endedAtMs, call.startedAtMs + 1)),
    statusCode: error === undefined ? UNSET : ERROR,
    ...(error === undefined ? {} : { statusMessage: error }),
    attributes: withoutUndefined({
      ...identityOf(call, conversationId),
      ...requestOf(call),
      ...responseOf(call),
      ...contentOf(call),
    }),
    events: [],
  };
}

function identityOf(
  { operation, endpoint, request, principalId, requestId }: FinishedCall,
  conversationId: string | undefined,
) {
  const metadata = isRecord(request['metadata']) ? request['metadata'] : {};
  return {
    'gen_ai.operation.name': OPERATION_NAME[operation],
    'gen_ai.provider.name': endpoint.provider,
    'gen_ai.request.model': endpoint.model,
    [ASKED_MODEL_ATTRIBUTE]: textOf(request['model']),
    'gen_ai.conversation.id': conversationId,
    'user.id': textOf(request['user']) ?? textOf(metadata['user_id']),
    'gen_ai.agent.name': textOf(metadata['agent_name']),
    'clew.caller.id': principalId,
    'clew.request.id': requestId,
  };
}

function requestOf({ request }: FinishedCall): JsonRecord {
  const found = Object.entries(REQUEST_ATTRIBUTES).flatMap(([member, attribute]) =>
    typeof request[member] === 'number' ? [[attribute, request[member]] as const] : [],
  );
  const format = isRecord(request['response_format']) ? textOf(request['response_format']['type']) : undefined;
  return {
    ...Object.fromEntries(found),
    'gen_ai.request.stream': request['stream'] === true ? true : undefined,
    'gen_ai.output.type': format?.startsWith('json') === true ? 'json' : undefined,
  };
}

function responseOf({ answer, error, firstByteMs }: FinishedCall): JsonRecord {
  const { usage, finishReason } = answer;
  return {
    'gen_ai.response.id': answer.responseId,
    'gen_ai.response.model': answer.responseModel,
    'gen_ai.response.finish_reasons': finishReason === undefined ? undefined : [finishReason],
    'gen_ai.response.time_to_first_chunk': firstByteMs === undefined ? undefined : firstByteMs / 1_000,
    'gen_ai.usage.input_tokens': usage?.inputTokens,
    'gen_ai.usage.output_tokens': usage?.outputTokens,
    'gen_ai.usage.cache_read.input_tokens': usage?.cacheReadTokens,
    'gen_ai.usage.reasoning.output_tokens': usage?.reasoningTokens,
    'error.type': error,
  };
}

function contentOf(call: FinishedCall): JsonRecord {
  const { operation, request, answer } = call;
  if (operation !== 'chat' && operation !== 'text_completion') return {};
  const given = operation === 'chat' ? messagesOf(request).map(genAiMessage) : [promptMessage(request['prompt'])];
  const { messages, left } = newest(given);
  const said = answer.content !== '' || answer.toolCalls.length > 0;
  return {
    'gen_ai.input.messages': messages,
    'gen_ai.output.messages': said ? [genAiAnswer(answer)] : undefined,
    'gen_ai.tool.definitions': genAiTools(request['tools']),
    'clew.content.left_out_messages': left === 0 ? undefined : left,
    'clew.content.truncated': answer.truncated ? true : undefined,
  };
}

function promptMessage(prompt: unknown): GenAiMessage {
  const content = Array.isArray(prompt) ? prompt.map(String).join('\n') : String(prompt ?? '');
  return { role: 'user', parts: [{ type: 'text', content }] };
}

/** Selects as many of the newest messages as fit. */
function newest(messages: readonly GenAiMessage[]): { messages: GenAiMessage[]; left: number } {
  let length = 0;
  let from = messages.length;
  while (from > 0) {
    length += JSON.stringify(messages[from - 1]).length;
    if (length > MAX_MESSAGES_LENGTH) break;
    from -= 1;
  }
  return { messages: messages.slice(from), left: from };
}

function nanosOf(epochMs: number): string {
  return `${Math.trunc(epochMs)}000000`;
}

function withoutUndefined(values: JsonRecord): JsonRecord {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
