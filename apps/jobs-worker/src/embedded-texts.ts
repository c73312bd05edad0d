import { InferenceError, type CallOptions, type InferenceClient } from '@clew/inference';

/** Maximum dimensions of a vector: in Base64, more would exceed the limit of an item. */
const MAX_DIMENSIONS = 6_000;
const BYTES_PER_FLOAT = 4;

/**
 * Computes the embeddings of texts, encoded; `undefined` for a text without one. If the model fails, no text has one,
 * and texts are compared by their words.
 */
export async function embeddedTexts(
  inference: InferenceClient,
  model: string,
  texts: readonly string[],
  call: CallOptions,
): Promise<(string | undefined)[]> {
  try {
    const vectors = await inference.embed({ ...call, model, texts });
    return texts.map((_, position) => encodedVector(vectors[position] ?? []));
  } catch (error) {
    if (error instanceof InferenceError) return texts.map(() => undefined);
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
