import { maskVariables } from '@clew/rules';

/** Words of a problem that tell whether another one is the same. */
export interface ProblemMeaning {
  /** Stems of the kind and the title. */
  stems: readonly string[];
  /** Embedding, if a model computed one. */
  embedding?: { model: string; vector: string } | undefined;
}

/** Cosine of embeddings from which two problems are the same. */
const SAME_COSINE = 0.8;
/** Share of common stems (Dice) from which two problems are the same. */
const SAME_WORDS = 0.5;
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

/** Meaning of a problem from its kind and its title. */
export function meaningOf(
  { kind, title }: { kind: string; title: string },
  embedding?: ProblemMeaning['embedding'],
): ProblemMeaning {
  const words = maskVariables(`${kind} ${title}`).toLowerCase().match(WORD) ?? [];
  const stems = words.filter((word) => !EMPTY_WORDS.has(word)).map((word) => word.slice(0, STEM_LENGTH));
  return { stems: [...new Set(stems)].slice(0, MAX_STEMS), ...(embedding === undefined ? {} : { embedding }) };
}

/**
 * Similarity of two problems, 1 or more if they are the same: by their embeddings if both have one of the same model,
 * else by their words.
 */
export function samenessOf(one: ProblemMeaning, other: ProblemMeaning): number {
  if (one.embedding !== undefined && one.embedding.model === other.embedding?.model)
    return cosineOf(one.embedding.vector, other.embedding.vector) / SAME_COSINE;
  return diceOf(one.stems, other.stems) / SAME_WORDS;
}

function diceOf(one: readonly string[], other: readonly string[]): number {
  if (one.length + other.length === 0) return 1;
  const known = new Set(other);
  return (2 * one.filter((stem) => known.has(stem)).length) / (one.length + other.length);
}

/** Cosine of two vectors of length 1, encoded as little-endian 32-bit floats in Base64. */
function cosineOf(one: string, other: string): number {
  const [left, right] = [floatsOf(one), floatsOf(other)];
  if (left.length !== right.length) return 0;
  return left.reduce((sum, value, at) => sum + value * (right[at] ?? 0), 0);
}

function floatsOf(encoded: string): Float32Array {
  const bytes = Buffer.from(encoded, 'base64');
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
}
