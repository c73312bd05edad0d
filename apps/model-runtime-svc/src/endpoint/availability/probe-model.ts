import type { ModelCapabilities, ModelCategory, UnavailableReason } from '@clew/contracts';
import { AppError, readJson } from '@clew/kernel';
import type { ModelEndpoint } from '../providers/endpoints.ts';
import type { ObservedAnswer } from '../recording/observed-answer.ts';
import { isRecord, type JsonRecord } from '../recording/values.ts';
import type { AskModel } from './ask-model.ts';
import { judgementPrompt, judgementScore, passesJudgement } from './judgement-test.ts';
import { isNamedForEmbedding, probeEmbeddings } from './probe-embeddings.ts';

export type ProbeResult =
  | { capabilities: ModelCapabilities; reason: UnavailableReason | null }
  | { capabilities: null; reason: UnavailableReason };

const COLOURS = ['red', 'green', 'blue'];
const COLOUR_SCHEMA = {
  type: 'object',
  properties: { colour: { type: 'string', enum: COLOURS }, count: { type: 'integer' } },
  required: ['colour', 'count'],
  additionalProperties: false,
};
const WEATHER_TOOL = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'The weather in a city',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
};

export interface ProbeOptions {
  contextLength: number | null;
  /** Undefined if only the name suggests the model's purpose. */
  category: ModelCategory | undefined;
}

/** Capabilities of a model that only embeds. */
export const EMBEDS_ONLY: ModelCapabilities = {
  ...{ chat: false, jsonMode: false, jsonSchema: false, tools: false, contextLength: null },
  ...{ judgement: false, judgementScore: 0, embeddings: true },
};

/**
 * Finds out the capabilities of a model with small calls. Embedding is probed if the model does not chat, or if it is
 * meant to embed.
 */
export async function probeModel(
  ask: AskModel,
  projectId: string,
  endpoint: ModelEndpoint,
  { contextLength, category }: ProbeOptions,
): Promise<ProbeResult> {
  const isToEmbed = category === undefined ? isNamedForEmbedding(endpoint.model) : category === 'embedding';
  // The catalog's category of a local model is reliable: its engine was started to embed.
  const isOnlyToEmbed = category === 'embedding';
  const chat: ProbeResult = isOnlyToEmbed
    ? { capabilities: null, reason: 'no_chat' }
    : await probeChat(ask, projectId, endpoint, contextLength);
  if (!isToEmbed && chat.reason !== 'no_chat') return chat;
  try {
    if (!(await probeEmbeddings(ask, projectId, endpoint))) return chat;
  } catch (error) {
    return isOnlyToEmbed ? { capabilities: null, reason: reasonOf(error) } : chat;
  }
  if (chat.capabilities === null) return { capabilities: { ...EMBEDS_ONLY, contextLength }, reason: 'no_chat' };
  return { ...chat, capabilities: { ...chat.capabilities, embeddings: true } };
}

async function probeChat(
  ask: AskModel,
  projectId: string,
  endpoint: ModelEndpoint,
  contextLength: number | null,
): Promise<ProbeResult> {
  const request = (content: string, maxTokens: number, more: JsonRecord = {}) =>
    askWithin(ask, projectId, endpoint, { messages: [{ role: 'user', content }], ...more }, maxTokens);
  try {
    await request('Answer with the single word: ready', 16);
  } catch (error) {
    return { capabilities: null, reason: reasonOf(error) };
  }
  const [jsonObject, jsonSchema, tools] = await Promise.all([
    succeeds(async () => isJsonObject(await request(JSON_QUESTION, 200, { response_format: OBJECT_FORMAT }))),
    succeeds(async () => fitsSchema(await request(SCHEMA_QUESTION, 200, { response_format: SCHEMA_FORMAT }))),
    succeeds(async () => callsTool(await request(TOOL_QUESTION, 300, { tools: [WEATHER_TOOL], tool_choice: 'auto' }))),
  ]);
  // Some models support only schemas, either because of their engine or because they ramble in free JSON.
  const jsonMode = jsonObject || jsonSchema;
  const score = jsonMode ? await judge(request, jsonSchema ? VERDICTS_FORMAT : OBJECT_FORMAT) : 0;
  return {
    capabilities: {
      ...{ chat: true, jsonMode, jsonSchema, tools, contextLength },
      judgement: passesJudgement(score),
      judgementScore: score,
      embeddings: false,
    },
    reason: jsonMode ? null : 'no_json_mode',
  };
}

const JSON_QUESTION = 'Answer with a JSON object that has one member, "ready", which is true.';
const SCHEMA_QUESTION = 'There are three red balls. Answer in JSON with their colour and count.';
const OBJECT_FORMAT = { type: 'json_object' };
const SCHEMA_FORMAT = schemaFormat('balls', COLOUR_SCHEMA);
const VERDICTS_FORMAT = schemaFormat('verdicts', {
  type: 'object',
  properties: { verdicts: { type: 'array', items: { type: 'boolean' } } },
  required: ['verdicts'],
  additionalProperties: false,
});
const TOOL_QUESTION = 'Use the tool get_weather to find out what the weather is in Paris.';

/**
 * Asks with a token limit. Some models think before they answer, and count that too; some use another name for the
 * limit.
 */
async function askWithin(
  ask: AskModel,
  projectId: string,
  endpoint: ModelEndpoint,
  request: JsonRecord,
  maxTokens: number,
): Promise<ObservedAnswer> {
  try {
    return await ask.chat(projectId, endpoint, { ...request, max_tokens: maxTokens });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'PROVIDER_REFUSED') throw error;
    return await ask.chat(projectId, endpoint, { ...request, max_completion_tokens: 16 * maxTokens });
  }
}

type Request = (content: string, maxTokens: number, more?: JsonRecord) => Promise<ObservedAnswer>;

function schemaFormat(name: string, schema: JsonRecord): JsonRecord {
  return { type: 'json_schema', json_schema: { name, strict: true, schema } };
}

async function judge(request: Request, format: JsonRecord): Promise<number> {
  try {
    const answer = await request(judgementPrompt(), 500, { response_format: format, temperature: 0 });
    return judgementScore(readJson(answer.content));
  } catch {
    return 0;
  }
}

/** Treats a capability that a provider refuses, or that a model fails at, as missing. */
async function succeeds(check: () => Promise<boolean>): Promise<boolean> {
  try {
    return await check();
  } catch {
    return false;
  }
}

function isJsonObject({ content }: ObservedAnswer): boolean {
  return isRecord(readJson(content));
}

function fitsSchema({ content }: ObservedAnswer): boolean {
  const parsed: unknown = readJson(content);
  if (!isRecord(parsed) || Object.keys(parsed).length !== 2) return false;
  return COLOURS.includes(String(parsed['colour'])) && Number.isInteger(parsed['count']);
}

function callsTool({ toolCalls: [call] }: ObservedAnswer): boolean {
  if (call?.name !== WEATHER_TOOL.function.name) return false;
  const given: unknown = readJson(call.arguments);
  return isRecord(given) && typeof given['city'] === 'string';
}

function reasonOf(error: unknown): UnavailableReason {
  if (!(error instanceof AppError)) return 'provider_unreachable';
  if (error.code === 'PROVIDER_CREDENTIALS_REFUSED') return 'credentials_refused';
  if (error.code === 'MODEL_NOT_FOUND') return 'model_not_found';
  return error.code === 'PROVIDER_REFUSED' ? 'no_chat' : 'provider_unreachable';
}
