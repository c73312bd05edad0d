const BYTES_PER_TOKEN = 4;

/** Estimates the tokens of a text without its model's vocabulary: one per four bytes of UTF-8. */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}
