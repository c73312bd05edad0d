import { imul, mix32 } from './mix32.ts';
import { MAX_WORDS, WordHashes } from './words.ts';

/** Minimum estimated similarity of near duplicates. */
export const NEAR_DUPLICATE_SIMILARITY = 0.75;

/** Number of rows of a signature. Two texts agree in a row with the probability of their similarity. */
export const SIGNATURE_ROWS = 128;
const BITS_PER_ROW = 4;
const ROWS_PER_WORD = 32 / BITS_PER_ROW;
/**
 * Number of bands. A band is a 32-bit word of eight rows; near duplicates nearly always have at least one in common.
 */
export const SIGNATURE_BANDS = SIGNATURE_ROWS / ROWS_PER_WORD;
export const SIGNATURE_BYTES = 4 * SIGNATURE_BANDS;

const WORDS_PER_SHINGLE = 3;
/** Seed of the stored signatures: another seed, or another way to split words, makes them useless. */
const SEED = 0x434c4557;

const EMPTY = 0x7fffffff;
const ROW_MASK = SIGNATURE_ROWS - 1;
const ROW_BITS = 7;

/**
 * Salt that each row adds to a value before its bits are taken, so that rows with the same value have different bits.
 */
const salts = Int32Array.from({ length: SIGNATURE_ROWS }, (_, row) => mix32(SEED + row));
/** Order of all rows from which each row borrows. */
const lenders = Array.from({ length: SIGNATURE_ROWS }, (_, row) => shuffledRows(mix32(SEED ^ (row << ROW_BITS))));

const words = new WordHashes();
const shingles = new Int32Array(MAX_WORDS);
const minima = new Int32Array(SIGNATURE_ROWS);

/** Adds one of the texts that a signature is made of. */
export type AddText = (text: string) => void;

/**
 * Computes the MinHash signature of texts, from the set of their shingles of three words: 128 rows of 4 bits, 64 bytes.
 * `addTexts` adds them one by one. `fallback` replaces texts without any word, so that only truly similar ones count as
 * similar.
 *
 * MinHash is by Broder ("On the Resemblance and Containment of Documents", 1997); a few bits per row suffice according
 * to Li and König ("b-Bit Minwise Hashing", 2010). One permutation serves all rows: each shingle falls into one row by
 * its hash, and the smallest hash of a row is kept. An empty row borrows from another one (Li, Owen, Zhang: "One
 * Permutation Hashing", 2012; Shrivastava: "Optimal Densification for Fast and Accurate Minwise Hashing", 2017).
 */
export function signatureOfTexts(addTexts: (add: AddText) => void, fallback: () => string): Uint8Array {
  words.clear();
  addTexts(addText);
  takeMinima(takeShingles(fallback));
  const bytes = new Uint8Array(SIGNATURE_BYTES);
  for (let row = 0; row < SIGNATURE_ROWS; row += 2) {
    bytes[row >> 1] = bitsOfRow(row) | (bitsOfRow(row + 1) << BITS_PER_ROW);
  }
  return bytes;
}

/** Encodes a signature for storage. */
export function encodeSignature(signature: Uint8Array): string {
  return Buffer.from(signature).toString('base64');
}

export function decodeSignature(stored: string): Uint8Array {
  return Buffer.from(stored, 'base64');
}

/**
 * Computes a number below 2^36 for each band of a signature. Another signature has the same number exactly if it agrees
 * in that band, so that an index on the numbers finds the candidates for near duplicates in a database.
 */
export function bandKeysOf(signature: Uint8Array): number[] {
  return Array.from({ length: SIGNATURE_BANDS }, (_, band) => band * 2 ** 32 + (wordAt(signature, band) >>> 0));
}

/** Estimates the similarity of the texts of two signatures: the share of common shingles (Jaccard), 0 to 1. */
export function similarityOf(left: Uint8Array, right: Uint8Array): number {
  let equalRows = 0;
  for (let word = 0; word < SIGNATURE_BANDS; word += 1) {
    equalRows += equalRowsOfWord(wordAt(left, word), wordAt(right, word));
  }
  return similarityOfRows(equalRows);
}

/** Returns one word of a signature, with the first byte in its lowest bits. */
export function wordAt(signature: Uint8Array, word: number): number {
  const start = 4 * word;
  return (
    (signature[start] as number) |
    ((signature[start + 1] as number) << 8) |
    ((signature[start + 2] as number) << 16) |
    ((signature[start + 3] as number) << 24)
  );
}

function addText(text: string): void {
  words.add(text);
}

/** Fills `shingles` and returns their number, at least one. */
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

function takeMinima(count: number): void {
  minima.fill(EMPTY);
  for (let index = 0; index < count; index += 1) {
    const hash = shingles[index] as number;
    const row = hash & ROW_MASK;
    const value = hash >>> ROW_BITS;
    if (value < (minima[row] as number)) minima[row] = value;
  }
}

function bitsOfRow(row: number): number {
  let value = minima[row] as number;
  if (value === EMPTY) value = minima[lenderOf(row)] as number;
  return mix32(value + (salts[row] as number)) & 15;
}

/**
 * Returns the first row, in the order of the given row, that has a value: similar texts mostly borrow from the same
 * one.
 */
function lenderOf(row: number): number {
  const order = lenders[row] as Uint8Array;
  let place = 0;
  while (minima[order[place] as number] === EMPTY) place += 1;
  return order[place] as number;
}

function shuffledRows(seed: number): Uint8Array {
  const rows = Uint8Array.from({ length: SIGNATURE_ROWS }, (_, row) => row);
  for (let last = SIGNATURE_ROWS - 1; last > 0; last -= 1) {
    const other = (mix32(seed + last) >>> 0) % (last + 1);
    [rows[last], rows[other]] = [rows[other] as number, rows[last] as number];
  }
  return rows;
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

/** Probability that rows of 4 bits are equal by chance. */
const EQUAL_BY_CHANCE = 1 / 2 ** BITS_PER_ROW;

/** Estimates the share of common shingles of two texts (Jaccard), from the number of rows in which they agree. */
export function similarityOfRows(equalRows: number): number {
  const share = equalRows / SIGNATURE_ROWS;
  return Math.max(0, (share - EQUAL_BY_CHANCE) / (1 - EQUAL_BY_CHANCE));
}

/** Counts the rows of a signature word in which two signatures agree. */
export function equalRowsOfWord(left: number, right: number): number {
  // An agreeing row is 0; in any other row, the highest bit is set by a carry, or was set already.
  const difference = left ^ right;
  const nonZero = (((difference & 0x77777777) + 0x77777777) | difference) & 0x88888888;
  return ROWS_PER_WORD - bitCount(nonZero);
}

function bitCount(value: number): number {
  let bits = value - ((value >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
