import { excessOf, MAX_JSON_DEPTH, measureJson, readJson } from '@clew/kernel';

const MAX_ANSWER_BYTES = 8 * 1024 * 1024;
/** Limits of a provider's JSON; a larger answer would hold up the process's other work. */
const LIMITS = { maxDepth: MAX_JSON_DEPTH, maxValues: 1_000_000, maxMembers: 200_000 };

/**
 * Reads the JSON that a provider answers to the system itself, within limits of memory and time. Throws RangeError if
 * the answer is too large, and SyntaxError if it is not JSON.
 */
export async function answerJson(body: AsyncIterable<Uint8Array> | null): Promise<unknown> {
  const text = await boundedText(body);
  const excess = excessOf(measureJson(text), LIMITS);
  if (excess !== undefined) throw new RangeError(`the answer ${excess}`);
  return readJson(text);
}

async function boundedText(body: AsyncIterable<Uint8Array> | null): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > MAX_ANSWER_BYTES) throw new RangeError('the answer is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
