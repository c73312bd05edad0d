import type { ExtractedItem } from '@clew/contracts';
import { InferenceError, type CallOptions, type InferenceClient } from '@clew/inference';

/** In Base64 no more than an item may carry. */
const MAX_DIMENSIONS = 6_000;
const BYTES_PER_FLOAT = 4;

/** The items with what they mean, as a model sees it; without, where that model fails: then words have to do. */
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

/** Of length 1, as little-endian 32-bit floats in Base64; `undefined`: it points nowhere. */
export function encodedVector(vector: readonly number[]): string | undefined {
  const length = Math.hypot(...vector);
  if (vector.length === 0 || vector.length > MAX_DIMENSIONS || !Number.isFinite(length) || length === 0)
    return undefined;
  const bytes = Buffer.alloc(vector.length * BYTES_PER_FLOAT);
  for (const [index, value] of vector.entries()) bytes.writeFloatLE(value / length, index * BYTES_PER_FLOAT);
  return bytes.toString('base64');
}
