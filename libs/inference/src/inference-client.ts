import { z } from 'zod';
import { createChatCompletionInternally, createEmbeddingsInternally, type ModelCapabilities } from '@clew/contracts';
import { withinDeadline } from './deadline.ts';
import { createCallEndpoint, type CallOptions, type EndpointOptions } from './endpoint.ts';
import { InferenceError } from './inference-error.ts';
import { checkJsonAnswer } from './json-answer.ts';
import { createLocalTurns } from './local-turns.ts';
import { jsonModeOf, jsonSchemaOf, responseFormat, type JsonMode } from './json-mode.ts';
import { addUsage, usageOf, type Usage } from './usage.ts';

export interface ChatMessage {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

export interface ChatOptions extends CallOptions {
  /** `<provider>/<model_name>`, `self/<model_id>` or `service/auto`. */
  model: string;
  messages: readonly ChatMessage[];
  maxTokens?: number;
  temperature?: number;
}

export interface JsonOptions<Schema extends z.ZodType> extends ChatOptions {
  /**
   * Schema that the answer must fit. Objects are strict and have no optional members, because providers require that.
   */
  schema: Schema;
  /** Known capabilities of the model, which decide how JSON is requested. */
  capabilities?: Pick<ModelCapabilities, 'jsonMode' | 'jsonSchema'> | null;
}

export interface ChatAnswer {
  text: string;
  /** Name of the model that answered. */
  model: string;
  /** True if the answer reached its token limit. */
  truncated: boolean;
  usage: Usage;
}

export interface JsonAnswer<Value> {
  value: Value;
  model: string;
  /** Usage of all calls that the answer took. */
  usage: Usage;
}

export interface InferenceClient {
  chat(options: ChatOptions): Promise<ChatAnswer>;
  /** Returns an answer in JSON that fits a schema; the model gets one chance to repair an invalid one. */
  json<Schema extends z.ZodType>(options: JsonOptions<Schema>): Promise<JsonAnswer<z.output<Schema>>>;
  /** Returns a vector for each text, in the same order. */
  embed(options: CallOptions & { model: string; texts: readonly string[] }): Promise<number[][]>;
}

const ChatAnswerBody = z.looseObject({
  model: z.string().catch(''),
  choices: z
    .array(
      z.looseObject({
        message: z.looseObject({ content: z.string().nullish(), refusal: z.string().nullish() }),
        finish_reason: z.string().nullish(),
      }),
    )
    .min(1),
});
const EmbeddingsBody = z.looseObject({
  data: z.array(z.looseObject({ index: z.int(), embedding: z.array(z.number()) })),
});
/**
 * Maximum length of the quoted answer and its problems: both can be long, and a repair should not cost twice as much.
 */
const MAX_REPEATED_LENGTH = 20_000;
const DEFAULT_DEADLINE_MS = 240_000;
const DEFAULT_HEARTBEAT_INTERVAL_MS = 5_000;
const DEFAULT_MAX_CONCURRENT_LOCAL = 2;

/**
 * Creates the client of the OpenAI-compatible endpoint for the system's own calls: metered, but recorded in no
 * conversation.
 */
export function createInferenceClient(options: EndpointOptions): InferenceClient {
  const { deadlineMs = DEFAULT_DEADLINE_MS, heartbeatIntervalMs = DEFAULT_HEARTBEAT_INTERVAL_MS } = options;
  const call = createCallEndpoint(options);
  const turns = createLocalTurns(options.maxConcurrentLocal ?? DEFAULT_MAX_CONCURRENT_LOCAL);
  const deadlineOf = ({ signal, heartbeat }: CallOptions) => ({ deadlineMs, heartbeatIntervalMs, signal, heartbeat });

  /** Runs a call in its turn; its time limit begins with the turn. */
  function inTurn<T>(chatOptions: ChatOptions, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const limits = deadlineOf(chatOptions);
    const { projectId, model } = chatOptions;
    return turns.run({ ...limits, projectId, model }, () => withinDeadline(limits, work));
  }

  async function chat(
    { model, messages, maxTokens, temperature, ...callOptions }: ChatOptions,
    signal: AbortSignal,
    more: Record<string, unknown> = {},
  ): Promise<ChatAnswer> {
    const request = {
      ...{ model, messages, ...more },
      ...(maxTokens === undefined ? {} : { max_tokens: maxTokens }),
      ...(temperature === undefined ? {} : { temperature }),
    };
    const answered = await call(createChatCompletionInternally, request, callOptions, signal);
    const body = ChatAnswerBody.safeParse(answered).data;
    const choice = body?.choices[0];
    if (body === undefined || choice === undefined) {
      throw new InferenceError('INVALID_ANSWER', 'The answer holds no message');
    }
    if (choice.message.refusal != null) throw new InferenceError('INVALID_ANSWER', 'The model refused to answer');
    const text = choice.message.content ?? '';
    return { text, model: body.model, truncated: choice.finish_reason === 'length', usage: usageOf(answered) };
  }

  async function jsonInMode<Schema extends z.ZodType>(
    { schema, capabilities: _, ...chatOptions }: JsonOptions<Schema>,
    mode: JsonMode,
    signal: AbortSignal,
  ): Promise<JsonAnswer<z.output<Schema>>> {
    const shown = mode === 'schema' ? [] : [schemaMessage(schema)];
    const messages = [...shown, ...chatOptions.messages];
    const format = responseFormat(mode, schema);
    const first = await chat({ ...chatOptions, messages }, signal, format);
    const checked = checkJsonAnswer(first.text, schema);
    if (checked.ok) return { value: checked.value, model: first.model, usage: first.usage };
    const repair = [...messages, ...repairMessages(first, checked.problem)];
    const second = await chat({ ...withKey(chatOptions, 'repair'), messages: repair }, signal, format);
    const repaired = checkJsonAnswer(second.text, schema);
    if (!repaired.ok) {
      throw new InferenceError('INVALID_ANSWER', `The model gave no valid answer. ${repaired.problem}`);
    }
    return { value: repaired.value, model: second.model, usage: addUsage(first.usage, second.usage) };
  }

  return {
    chat: (chatOptions) => inTurn(chatOptions, (signal) => chat(chatOptions, signal)),
    json: (jsonOptions) =>
      inTurn(jsonOptions, async (signal) => {
        const mode = jsonModeOf(jsonOptions.capabilities ?? null);
        try {
          return await jsonInMode(jsonOptions, mode, signal);
        } catch (error) {
          // A provider that accepts some schemas may reject another one.
          if (mode !== 'schema' || !(error instanceof InferenceError) || error.code !== 'REFUSED') throw error;
          return await jsonInMode(withKey(jsonOptions, 'object'), 'object', signal);
        }
      }),
    async embed({ model, texts, ...callOptions }) {
      if (texts.length === 0) return [];
      const request = { model, input: texts, encoding_format: 'float' };
      const answered = await withinDeadline(deadlineOf(callOptions), (signal) =>
        call(createEmbeddingsInternally, request, callOptions, signal),
      );
      const body = EmbeddingsBody.safeParse(answered).data;
      const vectors = new Map(body?.data.map(({ index, embedding }) => [index, embedding]));
      return texts.map((_, index) => {
        const vector = vectors.get(index);
        if (vector === undefined) throw new InferenceError('INVALID_ANSWER', 'The answer lacks a vector');
        return vector;
      });
    },
  };
}

/** Adds a suffix to the idempotency key: a different call for the same work needs another key. */
function withKey<Options extends CallOptions>(options: Options, suffix: string): Options {
  const { idempotencyKey } = options;
  return idempotencyKey === undefined ? options : { ...options, idempotencyKey: `${idempotencyKey}:${suffix}` };
}

function schemaMessage(schema: z.ZodType): ChatMessage {
  const described = JSON.stringify(jsonSchemaOf(schema));
  return {
    role: 'system',
    content: `Answer with one JSON object, and nothing else, that fits this JSON schema:\n${described}`,
  };
}

function repairMessages({ text, truncated }: ChatAnswer, problem: string): ChatMessage[] {
  const cut = truncated ? ' It was cut off at its limit of length: answer more briefly.' : '';
  return [
    { role: 'assistant', content: text.slice(0, MAX_REPEATED_LENGTH) },
    {
      role: 'user',
      content: `This answer cannot be used. ${problem}${cut}\nGive the whole answer again, corrected, as JSON.`,
    },
  ];
}
