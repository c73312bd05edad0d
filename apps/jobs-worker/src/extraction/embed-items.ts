import type { ExtractedItem } from '@clew/contracts';
import { InferenceError, type CallOptions, type InferenceClient } from '@clew/inference';

/** Maximum dimensions of a vector: in Base64, more would exceed the limit of an item. */
const MAX_DIMENSIONS = 6_000;
const BYTES_PER_FLOAT = 4;

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
  try {
    const texts = items.map(({ title, content }) => `${title}\n${content}`);
    const vectors = await inference.embed({ ...call, model, texts });
    return items.map((item, position) => {
      const vector = encodedVector(vectors[position] ?? []);
      return vector === undefined ? item : { ...item, embedding: { model, vector } };
    });
  } catch (error) {
    if (error instanceof InferenceError) return [...items];
    throw error;
  }
}

/**
 * Encodes a vector, scaled to length 1, as little-endian 32-bit floats in Base64; `undefined` for one without a
 * direction.
 */
export function encodedVector(vector: readonly number[]): string | undefined {
  const length = Math.hypot(...vector);
  if (vector.length === 0 || vector.length > MAX_DIMENSIONS || !Number.isFinite(length) || length === 0)
    return undefined;
  const bytes = Buffer.alloc(vector.length * BYTES_PER_FLOAT);
  for (const [index, value] of vector.entries()) bytes.writeFloatLE(value / length, index * BYTES_PER_FLOAT);
  return bytes.toString('base64');
}
