import { mix32 } from './mix32.ts';
import {
  equalRowsOfWord,
  NEAR_DUPLICATE_SIMILARITY,
  SIGNATURE_BANDS,
  SIGNATURE_BYTES,
  SIGNATURE_ROWS,
  similarityOfRows,
  wordAt,
} from './signature.ts';

/** Number of differing rows above which the similarity is below `NEAR_DUPLICATE_SIMILARITY`. */
const MAX_UNEQUAL_ROWS = Math.floor((1 - NEAR_DUPLICATE_SIMILARITY) * (1 - 1 / 16) * SIGNATURE_ROWS);

const CHUNK_BITS = 14;
const CHUNK_LENGTH = 2 ** CHUNK_BITS;
const CHUNK_MASK = CHUNK_LENGTH - 1;

/** Signatures by number, in chunks, so that growing copies nothing. */
export class SignatureList {
  readonly #chunks: Int32Array[] = [];
  length = 0;

  /** Adds a signature and returns its number; throws RangeError for the wrong length. */
  push(signature: Uint8Array): number {
    if (signature.length !== SIGNATURE_BYTES) throw new RangeError(`A signature has ${SIGNATURE_BYTES} bytes`);
    const number = this.length;
    const chunk = (this.#chunks[number >>> CHUNK_BITS] ??= new Int32Array(CHUNK_LENGTH * SIGNATURE_BANDS));
    const start = (number & CHUNK_MASK) * SIGNATURE_BANDS;
    for (let word = 0; word < SIGNATURE_BANDS; word += 1) chunk[start + word] = wordAt(signature, word);
    this.length += 1;
    return number;
  }

  pop(): void {
    this.length -= 1;
  }

  /** Returns one of the sixteen bands: near duplicates nearly always have at least one in common. */
  band(number: number, band: number): number {
    const chunk = this.#chunks[number >>> CHUNK_BITS] as Int32Array;
    return chunk[(number & CHUNK_MASK) * SIGNATURE_BANDS + band] as number;
  }

  /** Computes a hash that nearly only equal signatures share. */
  hash(number: number): number {
    let hash = SIGNATURE_BYTES;
    for (let word = 0; word < SIGNATURE_BANDS; word += 1) hash = mix32(hash ^ this.band(number, word));
    return hash;
  }

  /** Returns the estimated similarity of two signatures, or 0 if they are not near duplicates. */
  nearness(left: number, right: number): number {
    const leftChunk = this.#chunks[left >>> CHUNK_BITS] as Int32Array;
    const rightChunk = this.#chunks[right >>> CHUNK_BITS] as Int32Array;
    const leftStart = (left & CHUNK_MASK) * SIGNATURE_BANDS;
    const rightStart = (right & CHUNK_MASK) * SIGNATURE_BANDS;
    let unequal = 0;
    for (let word = 0; word < SIGNATURE_BANDS; word += 1) {
      unequal += 8 - equalRowsOfWord(leftChunk[leftStart + word] as number, rightChunk[rightStart + word] as number);
      if (unequal > MAX_UNEQUAL_ROWS) return 0;
    }
    return similarityOfRows(SIGNATURE_ROWS - unequal);
  }
}
