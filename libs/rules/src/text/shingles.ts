/** Shingles of a list of words: the words and the pairs of neighbors, which near-duplicates share. */
export function shinglesOf(words: readonly string[]): ReadonlySet<string> {
  const pairs = words.slice(1).map((word, index) => `${words[index] ?? ''} ${word}`);
  return new Set([...words, ...pairs]);
}

/** Computes the share of shingles that two texts have in common (Jaccard), 0 to 1. */
export function similarity(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  if (left.size === 0 || right.size === 0) return 0;
  let shared = 0;
  for (const shingle of left) if (right.has(shingle)) shared += 1;
  return shared / (left.size + right.size - shared);
}
