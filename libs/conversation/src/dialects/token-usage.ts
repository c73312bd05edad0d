import type { TokenUsage } from './span-reading.ts';
import { count, isRecord, parseJson, type JsonRecord } from './values.ts';

const USAGE_KEYS: Readonly<Record<keyof TokenUsage, readonly string[]>> = {
  inputTokens: [
    'gen_ai.usage.input_tokens',
    'gen_ai.usage.prompt_tokens',
    'llm.token_count.prompt',
    'ai.usage.inputTokens',
    'ai.usage.promptTokens',
  ],
  outputTokens: [
    'gen_ai.usage.output_tokens',
    'gen_ai.usage.completion_tokens',
    'llm.token_count.completion',
    'ai.usage.outputTokens',
    'ai.usage.completionTokens',
  ],
  cacheReadTokens: [
    'gen_ai.usage.cache_read.input_tokens',
    'gen_ai.usage.cache_read_input_tokens',
    'llm.token_count.prompt_details.cache_read',
    'ai.usage.cachedInputTokens',
  ],
  cacheWriteTokens: [
    'gen_ai.usage.cache_write.input_tokens',
    'gen_ai.usage.cache_creation.input_tokens',
    'gen_ai.usage.cache_creation_input_tokens',
    'llm.token_count.prompt_details.cache_write',
  ],
  reasoningTokens: [
    'gen_ai.usage.reasoning.output_tokens',
    'gen_ai.usage.reasoning_tokens',
    'llm.token_count.completion_details.reasoning',
    'ai.usage.reasoningTokens',
  ],
};
const USAGE_NAMES = Object.keys(USAGE_KEYS) as (keyof TokenUsage)[];
const MAX_USAGE_TEXT = 10_000;

/** Reads the token counts of a span; cached tokens are already part of the input. */
export function usageOf(attributes: JsonRecord): TokenUsage {
  const usage: TokenUsage = {};
  for (const name of USAGE_NAMES) {
    const found = firstCount(attributes, USAGE_KEYS[name]);
    if (found !== undefined) usage[name] = found;
  }
  const details = attributes['langfuse.observation.usage_details'];
  return details === undefined ? usage : langfuseUsage(details, usage);
}

function firstCount(attributes: JsonRecord, keys: readonly string[]): number | undefined {
  for (const key of keys) {
    const found = count(attributes[key]);
    if (found !== undefined) return found;
  }
  return undefined;
}

function langfuseUsage(details: unknown, usage: TokenUsage): TokenUsage {
  const parsed = typeof details === 'string' && details.length < MAX_USAGE_TEXT ? parseJson(details) : details;
  if (!isRecord(parsed)) return usage;
  const inputTokens = count(parsed.input ?? parsed.prompt_tokens ?? parsed.input_tokens);
  const outputTokens = count(parsed.output ?? parsed.completion_tokens ?? parsed.output_tokens);
  return {
    ...(inputTokens === undefined ? {} : { inputTokens }),
    ...(outputTokens === undefined ? {} : { outputTokens }),
    ...usage,
  };
}
