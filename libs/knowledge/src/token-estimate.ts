const BYTES_PER_TOKEN = 4;

/** About how many tokens a text has, without its model's vocabulary: four bytes of UTF-8 each. */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}
