import { BandTable } from './band-table.ts';
import { SignatureList } from './signature-list.ts';
import { SIGNATURE_BANDS } from './signature.ts';

/** What resembles a signature. */
export interface Neighbour {
  /** Its place in the order in which signatures were added. */
  number: number;
  /** Estimated share of common shingles, 0 to 1. */
  similarity: number;
}

/** Finds, for each signature that is added, the nearest of those that were added before, in memory. */
export class NearDuplicateIndex {
  readonly #signatures = new SignatureList();
  readonly #bands: readonly BandTable[];
  readonly #maxLength: number;

  /** Of more than so many signatures, the later ones are compared and not kept. */
  constructor(maxLength: number) {
    this.#maxLength = maxLength;
    // One more than those that are kept has a number while it is compared.
    this.#bands = Array.from(
      { length: SIGNATURE_BANDS },
      (_, band) => new BandTable(this.#signatures, band, maxLength),
    );
  }

  /** How many signatures are kept. */
  get length(): number {
    return this.#signatures.length;
  }

  /** Whether further ones are compared only. */
  get isFull(): boolean {
    return this.#signatures.length >= this.#maxLength;
  }

  /** Adds a signature, without a look for its neighbours; false when there is no room. */
  add(signature: Uint8Array): boolean {
    if (this.isFull) return false;
    const number = this.#signatures.push(signature);
    for (const band of this.#bands) band.replace(number);
    return true;
  }

  /** Adds a signature and returns its nearest neighbour. When there is no room it is only compared. */
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
