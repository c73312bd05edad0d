import type { ExtractedItem } from '@clew/contracts';
import type { CallOptions, InferenceClient } from '@clew/inference';
import { embeddedTexts } from '../embedded-texts.ts';

/**
 * Adds to each item the embedding of its text. If the model fails, items go without one, and search relies on words.
 */
export async function embedItems(
  inference: InferenceClient,
  items: readonly ExtractedItem[],
  model: string | null,
  call: CallOptions,
): Promise<ExtractedItem[]> {
  if (model === null || items.length === 0) return [...items];
  const texts = items.map(({ title, content }) => `${title}\n${content}`);
  const vectors = await embeddedTexts(inference, model, texts, call);
  return items.map((item, position) => {
    const vector = vectors[position];
    return vector === undefined ? item : { ...item, embedding: { model, vector } };
  });
}
