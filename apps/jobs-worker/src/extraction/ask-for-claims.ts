import type { EnvelopeOf, extractionRequested } from '@clew/contracts';
import type { CallOptions, InferenceClient } from '@clew/inference';
import type { ClaimedItem } from '@clew/knowledge';
import { ExtractionAnswer, extractionPrompt } from './extraction-prompt.ts';
import { answerTokensOf, type Chunk } from './plan-extraction.ts';
import { pointingAt } from './point-at-sentences.ts';

/**
 * Asks a model what a part of a conversation teaches. A model that failed the judgement test writes no text of its own:
 * it only selects sentences of the conversation.
 */
export async function askForClaims(
  inference: InferenceClient,
  { model, capabilities, instruction, sources }: EnvelopeOf<typeof extractionRequested>['data'],
  chunk: Chunk,
  call: CallOptions,
): Promise<readonly ClaimedItem[]> {
  const asking = { ...call, model, capabilities, temperature: 0 };
  if (capabilities?.judgement !== false) {
    const messages = extractionPrompt(instruction, chunk, sources);
    const maxTokens = answerTokensOf(capabilities?.contextLength ?? null);
    const { value } = await inference.json({ ...asking, messages, maxTokens, schema: ExtractionAnswer });
    return value.items;
  }
  const pointing = pointingAt(instruction, chunk);
  if (pointing === undefined) return [];
  const { claimsOf, ...question } = pointing;
  const { value } = await inference.json({ ...asking, ...question });
  return claimsOf(value);
}
