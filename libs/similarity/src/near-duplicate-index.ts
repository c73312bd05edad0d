import { BandTable } from './band-table.ts';
import { SignatureList } from './signature-list.ts';
import { SIGNATURE_BANDS } from './signature.ts';

/** Signature that resembles another one. */
export interface Neighbour {
  /** Its place in the order in which signatures were added. */
  number: number;
  /** Estimated share of common shingles, 0 to 1. */
  similarity: number;
}

/** Index in memory that finds, for each added signature, the nearest of those added before. */
export class NearDuplicateIndex {
  readonly #signatures = new SignatureList();
  readonly #bands: readonly BandTable[];
  readonly #maxLength: number;

  /** Creates an index that keeps at most `maxLength` signatures; later ones are only compared. */
  constructor(maxLength: number) {
    this.#maxLength = maxLength;
    // A signature that is only compared temporarily has the next number.
    this.#bands = Array.from(
      { length: SIGNATURE_BANDS },
      (_, band) => new BandTable(this.#signatures, band, maxLength),
    );
  }

  /** Number of signatures that are kept. */
  get length(): number {
    return this.#signatures.length;
  }

  /** Whether further signatures are only compared. */
  get isFull(): boolean {
    return this.#signatures.length >= this.#maxLength;
  }

  /** Adds a signature without searching its neighbors; false if there is no room. */
  add(signature: Uint8Array): boolean {
    if (this.isFull) return false;
    const number = this.#signatures.push(signature);
    for (const band of this.#bands) band.replace(number);
    return true;
  }

  /** Adds a signature and returns its nearest neighbor. If there is no room, it is only compared. */
  addAndFind(signature: Uint8Array): Neighbour | undefined {
    const keeps = !this.isFull;
    const number = this.#signatures.push(signature);
    let nearest: Neighbour | undefined;
    for (const band of this.#bands) {
      const candidate = keeps ? band.replace(number) : band.find(number);
      if (candidate === -1 || candidate === nearest?.number) continue;
      const similarity = this.#signatures.nearness(number, candidate);
      if (similarity > (nearest?.similarity ?? 0)) nearest = { number: candidate, similarity };
    }
    if (!keeps) this.#signatures.pop();
    return nearest;
  }
}
