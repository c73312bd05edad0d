import { maskVariables } from '@clew/rules';

/** Embedding of a text, of length 1, encoded as little-endian 32-bit floats in Base64. */
export interface EncodedVector {
  model: string;
  vector: string;
}

/** Stems with the number of problems that have them. */
export type StemCounts = Readonly<Record<string, number>>;

/** Longest list of stems of one problem. */
const MAX_STEMS = 40;
const STEM_LENGTH = 5;
const WORD = /\p{L}+/gu;

/** Words that say nothing about a problem: whoever made it is the assistant, and something is always wrong. */
const EMPTY_WORDS = new Set(
  (
    'a an and are as at be been before but by did do does for from had has have in into is it its no not of on or out so ' +
    'than that the their then there they this to was were what when which while who whose with without would ' +
    'agent assistant bot user customer wrong wrongly incorrect incorrectly instead although though after'
  ).split(' '),
);

/** Stems of the words that tell what a problem is. */
export function stemsOf({ kind, title }: { kind: string; title: string }): string[] {
  const words = maskVariables(`${kind} ${title}`).toLowerCase().match(WORD) ?? [];
  const stems = words.filter((word) => !EMPTY_WORDS.has(word)).map((word) => word.slice(0, STEM_LENGTH));
  return [...new Set(stems)].slice(0, MAX_STEMS);
}

/** Similarity of a problem and a cluster by their stems: the cosine of its stems and of their counts there, 0 to 1. */
export function wordSimilarity(stems: readonly string[], counts: StemCounts): number {
  const norm = Math.sqrt(Object.values(counts).reduce((sum, count) => sum + count * count, 0) * stems.length);
  if (norm === 0) return 0;
  return stems.reduce((sum, stem) => sum + (Object.hasOwn(counts, stem) ? (counts[stem] ?? 0) : 0), 0) / norm;
}

/** Cosine of two embeddings, -1 to 1; undefined for those of different models. */
export function vectorSimilarity(one: EncodedVector, other: EncodedVector): number | undefined {
  if (one.model !== other.model) return undefined;
  const [left, right] = [floatsOf(one.vector), floatsOf(other.vector)];
  if (left.length !== right.length) return undefined;
  return left.reduce((sum, value, at) => sum + value * (right[at] ?? 0), 0);
}

function floatsOf(encoded: string): Float32Array {
  const bytes = Buffer.from(encoded, 'base64');
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
}
