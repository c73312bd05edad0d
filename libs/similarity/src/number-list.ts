const CHUNK_BITS = 14;
const CHUNK_LENGTH = 2 ** CHUNK_BITS;

/** List of 32-bit numbers in chunks, so that growing copies nothing. */
export class NumberList {
  readonly #chunks: Int32Array[] = [];
  length = 0;

  push(number: number): void {
    const chunk = (this.#chunks[this.length >>> CHUNK_BITS] ??= new Int32Array(CHUNK_LENGTH));
    chunk[this.length % CHUNK_LENGTH] = number;
    this.length += 1;
  }

  /** Returns the number at an index; 0 if there is none. */
  at(index: number): number {
    return this.#chunks[index >>> CHUNK_BITS]?.[index % CHUNK_LENGTH] ?? 0;
  }
}
