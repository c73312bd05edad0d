import { identifier, parseJson } from './values.ts';

const SPELLINGS: ReadonlyMap<string, string> = new Map([
  ...['stop', 'end_turn', 'stop_sequence', 'complete', 'completed', 'finish_reason_stop'].map(
    (name) => [name, 'stop'] as const,
  ),
  ...['length', 'max_tokens', 'max_output_tokens', 'model_length', 'incomplete'].map(
    (name) => [name, 'length'] as const,
  ),
  ...['tool_calls', 'tool_call', 'tool_use', 'function_call', 'malformed_function_call'].map(
    (name) => [name, 'tool_calls'] as const,
  ),
  ...['content_filter', 'safety', 'guardrail_intervened', 'refusal', 'content_filtered'].map(
    (name) => [name, 'content_filter'] as const,
  ),
]);

/**
 * Normalizes a finish reason to the OpenAI spelling (`stop`, `length`, `tool_calls`, `content_filter`); keeps others.
 */
export function finishReason(value: unknown): string | undefined {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  const text = identifier(first);
  if (text === undefined) return undefined;
  if (text.startsWith('[')) {
    const parsed = parseJson(text);
    return Array.isArray(parsed) ? finishReason(parsed) : undefined;
  }
  return SPELLINGS.get(text.toLowerCase().replaceAll('-', '_')) ?? text;
}
