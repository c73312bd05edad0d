import { mix32 } from './mix32.ts';
import type { SignatureList } from './signature-list.ts';

const NONE = -1;
const MIN_SLOTS = 1024;
/** Maximum load; a look-up in a fuller table would take too many steps. */
const MAX_LOAD = 0.8;
/** Size below which tables grow in larger steps: refilling one costs more than the space. */
const LARGE = 131_072;

/**
 * Newest signature for each value of one band: signatures that share a band are worth comparing (locality-sensitive
 * hashing; Leskovec, Rajaraman, Ullman: "Mining of Massive Datasets", chapter 3). One signature per value is enough:
 * its near duplicates were linked to it already, and a value that thousands share (a template) would otherwise cost
 * thousands of comparisons.
 *
 * A slot contains the number of a signature, and in the bits above it as much as fits of its value's hash. Most values
 * are thus distinguished without reading the signature, which may be anywhere in memory and would cost more than all
 * else here.
 */
export class BandTable {
  readonly #signatures: SignatureList;
  readonly #band: number;
  readonly #numberMask: number;
  #slots: Int32Array;
  #used = 0;

  /** Creates a table for signatures with numbers up to `maxNumber`; `expected` values fit without growing. */
  constructor(signatures: SignatureList, band: number, maxNumber: number, expected = 0) {
    this.#signatures = signatures;
    this.#band = band;
    // A slot with the highest number of its bit width could look empty.
    this.#numberMask = -1 >>> Math.clz32(maxNumber + 1);
    this.#slots = new Int32Array(slotsFor(expected)).fill(NONE);
  }

  /** Inserts a signature, and returns the previous one with its value, or -1. */
  replace(number: number): number {
    if (this.#used >= this.#slots.length * MAX_LOAD) this.#grow();
    return this.#put(number);
  }

  /** Returns the signature with the value of the given one, or -1. */
  find(number: number): number {
    return this.#numberIn(this.#slots[this.#slotOf(number, this.#hashOf(number))] as number);
  }

  #put(number: number): number {
    const hash = this.#hashOf(number);
    const slot = this.#slotOf(number, hash);
    const previous = this.#slots[slot] as number;
    if (previous === NONE) this.#used += 1;
    this.#slots[slot] = (hash & ~this.#numberMask) | number;
    return this.#numberIn(previous);
  }

  #hashOf(number: number): number {
    return mix32(this.#signatures.band(number, this.#band));
  }

  /** Returns the slot that contains the value of a signature, or the free slot for it. */
  #slotOf(number: number, hash: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    const hashMask = ~this.#numberMask;
    let slot = hash & mask;
    for (;;) {
      const held = slots[slot] as number;
      if (held === NONE) return slot;
      if (((held ^ hash) & hashMask) === 0 && this.#isAlike(held & this.#numberMask, number)) return slot;
      slot = (slot + 1) & mask;
    }
  }

  #isAlike(left: number, right: number): boolean {
    return this.#signatures.band(left, this.#band) === this.#signatures.band(right, this.#band);
  }

  #numberIn(slot: number): number {
    return slot === NONE ? NONE : slot & this.#numberMask;
  }

  #grow(): void {
    const held = this.#slots;
    this.#slots = new Int32Array(held.length * (held.length < LARGE ? 4 : 2)).fill(NONE);
    this.#used = 0;
    for (const slot of held) if (slot !== NONE) this.#put(slot & this.#numberMask);
  }
}

function slotsFor(expected: number): number {
  let slots = MIN_SLOTS;
  while (slots * MAX_LOAD < expected) slots *= 2;
  return slots;
}
