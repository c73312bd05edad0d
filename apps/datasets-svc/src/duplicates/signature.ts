import { imul, mix32 } from './mix32.ts';
import { MAX_WORDS, WordHashes } from './words.ts';

/** Two texts agree in a row of their signatures with the probability of their similarity. */
export const SIGNATURE_ROWS = 128;
const BITS_PER_ROW = 4;
const ROWS_PER_WORD = 32 / BITS_PER_ROW;
/** Of 32 bits; each is a band of eight rows. */
export const SIGNATURE_WORDS = SIGNATURE_ROWS / ROWS_PER_WORD;
export const SIGNATURE_BYTES = 4 * SIGNATURE_WORDS;

const WORDS_PER_SHINGLE = 3;
/** Signatures are stored: another seed, or another way to cut words, makes them worthless. */
const SEED = 0x434c4557;

const multipliers = new Int32Array(SIGNATURE_ROWS);
const offsets = new Int32Array(SIGNATURE_ROWS);
for (let row = 0; row < SIGNATURE_ROWS; row += 1) {
  multipliers[row] = mix32(SEED + 2 * row) | 1;
  offsets[row] = mix32(SEED + 2 * row + 1);
}

const words = new WordHashes();
const shingles = new Int32Array(MAX_WORDS);

/**
 * The MinHash signature of texts: of the set of their shingles of three words, 128 rows of 4 bits. `fallback` stands for
 * texts without any word, so that only what is really alike counts as alike.
 */
export function signatureOfTexts(texts: Iterable<string>, fallback: () => string): Uint8Array {
  words.clear();
  for (const text of texts) words.add(text);
  const count = takeShingles(fallback);
  const bytes = new Uint8Array(SIGNATURE_BYTES);
  for (let row = 0; row < SIGNATURE_ROWS; row += 2) {
    bytes[row >> 1] = (mix32(minimum(row, count)) & 15) | ((mix32(minimum(row + 1, count)) & 15) << 4);
  }
  return bytes;
}

/** Fills `shingles` and returns how many there are, one at least. */
function takeShingles(fallback: () => string): number {
  const { hashes, count } = words;
  if (count < WORDS_PER_SHINGLE) {
    shingles[0] = count === 0 ? hashOfCharacters(fallback()) : hashOfFewWords();
    return 1;
  }
  for (let index = WORDS_PER_SHINGLE - 1; index < count; index += 1) {
    shingles[index - 2] = shingle(hashes[index - 2] as number, hashes[index - 1] as number, hashes[index] as number);
  }
  return count - WORDS_PER_SHINGLE + 1;
}

/** The least value that the row's own hash function gives to a shingle: nearly all the time goes here. */
function minimum(row: number, count: number): number {
  const multiplier = multipliers[row] as number;
  const offset = offsets[row] as number;
  let least = 0x7fffffff;
  for (let index = 0; index < count; index += 1) {
    const value = (imul(shingles[index] as number, multiplier) + offset) | 0;
    least = value < least ? value : least;
  }
  return least;
}

function shingle(first: number, second: number, third: number): number {
  return mix32(imul(first, 0x9e3779b1) + imul(second ^ 0x7f4a7c15, 0x85ebca77) + (third ^ 0x165667b1));
}

function hashOfFewWords(): number {
  return shingle(words.count, words.hashes[0] as number, words.count > 1 ? (words.hashes[1] as number) : 0);
}

function hashOfCharacters(text: string): number {
  let hash = SEED;
  for (let index = 0; index < text.length; index += 1) hash = mix32(hash ^ text.charCodeAt(index)) + 1;
  return mix32(hash);
}

/** Rows of 4 bits are equal by chance so often. */
const EQUAL_BY_CHANCE = 1 / 2 ** BITS_PER_ROW;

/** The estimated share of shingles that two texts have in common (Jaccard), from the rows in which they agree. */
export function similarityOfRows(equalRows: number): number {
  const share = equalRows / SIGNATURE_ROWS;
  return Math.max(0, (share - EQUAL_BY_CHANCE) / (1 - EQUAL_BY_CHANCE));
}

/** In how many rows of a signature word two signatures agree. */
export function equalRowsOfWord(left: number, right: number): number {
  // A row that agrees is 0; its highest bit is set by the carry of the others, or is set already.
  const difference = left ^ right;
  const nonZero = (((difference & 0x77777777) + 0x77777777) | difference) & 0x88888888;
  return ROWS_PER_WORD - bitCount(nonZero);
}

function bitCount(value: number): number {
  let bits = value - ((value >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
