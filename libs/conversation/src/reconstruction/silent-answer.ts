import type { ReadError, ReadMessage } from '../dialects/index.ts';
import type { ModelCall } from './model-call.ts';

/** Reasons for which a model stops without any text. */
const CUT_SHORT: ReadonlySet<string> = new Set(['length', 'content_filter', 'error']);

/**
 * Returns an empty answer for a call without output: one that failed, or one that ended without text (cut short, or
 * with no tokens). Undefined for a call whose output is merely not recorded.
 */
export function silentAnswer(call: ModelCall): { message: ReadMessage; error?: ReadError } | undefined {
  const { error, finishReason, usage } = call.reading;
  if (call.output.length > 0) return undefined;
  if (error !== undefined) return { message: { role: 'assistant', content: '' }, error };
  if (!call.hasInput) return undefined;
  const isEmpty = finishReason !== undefined && (CUT_SHORT.has(finishReason) || usage.outputTokens === 0);
  return isEmpty ? { message: { role: 'assistant', content: '', finishReason } } : undefined;
}
