import { z } from 'zod';
import { createChatCompletionInternally, createEmbeddingsInternally } from '@clew/contracts';
import { createCallEndpoint, type CallOptions, type EndpointOptions } from './endpoint.ts';
import { InferenceError } from './inference-error.ts';
import { checkJsonAnswer } from './json-answer.ts';

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
  /** What the answer must be; the model is shown it as a JSON schema. */
  schema: Schema;
}

export interface ChatAnswer {
  text: string;
  /** Which model answered. */
  model: string;
  /** It ran into its limit of tokens. */
  truncated: boolean;
}

export interface InferenceClient {
  chat(options: ChatOptions): Promise<ChatAnswer>;
  /** An answer in JSON mode that fits a schema; the model gets one chance to repair what does not. */
  json<Schema extends z.ZodType>(options: JsonOptions<Schema>): Promise<{ value: z.output<Schema>; model: string }>;
  /** A vector for each text, in their order. */
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
/** What is wrong with an answer can be long, and so can the answer: a repair should not cost twice as much. */
const MAX_REPEATED_LENGTH = 20_000;

/** The client of the OpenAI-compatible endpoint for the system's own calls: metered, and never a conversation. */
export function createInferenceClient(options: EndpointOptions): InferenceClient {
  const call = createCallEndpoint(options);

  async function chat(
    { model, messages, maxTokens, temperature, ...callOptions }: ChatOptions,
    more: Record<string, unknown> = {},
  ): Promise<ChatAnswer> {
    const request = {
      ...{ model, messages, ...more },
      ...(maxTokens === undefined ? {} : { max_tokens: maxTokens }),
      ...(temperature === undefined ? {} : { temperature }),
    };
    const body = ChatAnswerBody.safeParse(await call(createChatCompletionInternally, request, callOptions)).data;
    const choice = body?.choices[0];
    if (body === undefined || choice === undefined) {
      throw new InferenceError('INVALID_ANSWER', 'The answer holds no message');
    }
    if (choice.message.refusal != null) throw new InferenceError('INVALID_ANSWER', 'The model refused to answer');
    const text = choice.message.content ?? '';
    return { text, model: body.model, truncated: choice.finish_reason === 'length' };
  }

  return {
    chat: (chatOptions) => chat(chatOptions),
    async json({ schema, ...chatOptions }) {
      const messages = [schemaMessage(schema), ...chatOptions.messages];
      const first = await chat({ ...chatOptions, messages }, JSON_MODE);
      const checked = checkJsonAnswer(first.text, schema);
      if (checked.ok) return { value: checked.value, model: first.model };
      const repair = [...messages, ...repairMessages(first.text, checked.problem)];
      const second = await chat({ ...chatOptions, messages: repair }, JSON_MODE);
      const repaired = checkJsonAnswer(second.text, schema);
      if (repaired.ok) return { value: repaired.value, model: second.model };
      throw new InferenceError('INVALID_ANSWER', `The model gave no valid answer. ${repaired.problem}`);
    },
    async embed({ model, texts, ...callOptions }) {
      if (texts.length === 0) return [];
      const request = { model, input: texts, encoding_format: 'float' };
      const body = EmbeddingsBody.safeParse(await call(createEmbeddingsInternally, request, callOptions)).data;
      const vectors = new Map(body?.data.map(({ index, embedding }) => [index, embedding]));
      return texts.map((_, index) => {
        const vector = vectors.get(index);
        if (vector === undefined) throw new InferenceError('INVALID_ANSWER', 'The answer lacks a vector');
        return vector;
      });
    },
  };
}

const JSON_MODE = { response_format: { type: 'json_object' } };

function schemaMessage(schema: z.ZodType): ChatMessage {
  const described = JSON.stringify(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }));
  return {
    role: 'system',
    content: `Answer with one JSON object, and nothing else, that fits this JSON schema:\n${described}`,
  };
}

function repairMessages(answer: string, problem: string): ChatMessage[] {
  return [
    { role: 'assistant', content: answer.slice(0, MAX_REPEATED_LENGTH) },
    {
      role: 'user',
      content: `This answer cannot be used. ${problem}\nGive the whole answer again, corrected, as JSON.`,
    },
  ];
}
