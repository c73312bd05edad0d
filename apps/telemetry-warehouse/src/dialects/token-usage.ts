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
const MAX_USAGE_TEXT = 10_000;

/** The tokens that a span counts; cached tokens are already inside the input. */
export function usageOf(attributes: JsonRecord): TokenUsage {
  const usage: TokenUsage = {};
  for (const name of Object.keys(USAGE_KEYS) as (keyof TokenUsage)[]) {
    const found = USAGE_KEYS[name].map((key) => count(attributes[key])).find((tokens) => tokens !== undefined);
    if (found !== undefined) usage[name] = found;
  }
  return langfuseUsage(attributes['langfuse.observation.usage_details'], usage);
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
