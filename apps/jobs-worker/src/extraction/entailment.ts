import { z } from 'zod';
import type { ExtractedItem } from '@clew/contracts';
import { InferenceError, type CallOptions, type ChatMessage, type InferenceClient } from '@clew/inference';
import { DATA_RULE, dataBlock } from '@clew/knowledge';

/** Name that resolves to any model of the project that passes the judgement test. */
const JUDGE = 'service/auto';
const MAX_ANSWER_TOKENS = 2_000;
const MAX_QUOTED_CHARACTERS = 1_000;

const EntailmentAnswer = z.strictObject({
  verdicts: z.array(z.strictObject({ statement: z.int(), follows: z.boolean() })),
});

const INSTRUCTIONS = `You check statements against quotes. For each statement decide from its quotes alone whether they make it true: "follows" is true where they do, and false where it says more, something else or the contrary.
Answer with a JSON object {"verdicts": [{"statement": 1, "follows": true}]}, one entry for each statement.
${DATA_RULE}`;

/**
 * Keeps the items that follow from their quotes, according to a model that can judge. Keeps all if the project has no
 * such model, or if its answer is unusable. Throws an InferenceError if the model is to be asked again later.
 */
export async function entailedItems(
  inference: InferenceClient,
  items: readonly ExtractedItem[],
  call: CallOptions,
): Promise<ExtractedItem[]> {
  if (items.length === 0) return [];
  try {
    const { value } = await inference.json({
      ...call,
      ...{ model: JUDGE, schema: EntailmentAnswer, messages: entailmentPrompt(items) },
      ...{ temperature: 0, maxTokens: MAX_ANSWER_TOKENS, purpose: 'judgement' as const },
    });
    const follows = (position: number) => {
      const given = value.verdicts.filter(({ statement }) => statement === position + 1);
      return given.length > 0 && given.every((verdict) => verdict.follows);
    };
    return items.filter((_, position) => follows(position));
  } catch (error) {
    if (error instanceof InferenceError && error.remedy === 'never') return [...items];
    throw error;
  }
}

function entailmentPrompt(items: readonly ExtractedItem[]): ChatMessage[] {
  const blocks = items.map(({ content, evidence }, position) => {
    const quotes = evidence.map(({ quote }) => `- ${quote.slice(0, MAX_QUOTED_CHARACTERS)}`);
    return dataBlock(`statement ${position + 1}`, [`Statement: ${content}`, 'Quotes:', ...quotes].join('\n'));
  });
  return [
    { role: 'system', content: INSTRUCTIONS },
    { role: 'user', content: blocks.join('\n') },
  ];
}
