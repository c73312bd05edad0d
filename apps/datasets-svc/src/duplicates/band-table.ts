import { mix32 } from './mix32.ts';
import type { SignatureList } from './signature-list.ts';

const NONE = -1;
const MIN_SLOTS = 1024;
/** Fuller, and a look-up would walk too far. */
const MAX_LOAD = 0.7;
/** Smaller tables grow in longer steps: to fill one again costs more than the room. */
const LARGE = 131_072;

/**
 * The newest signature of each value of one band. One for each value is enough: near duplicates of it were linked to it
 * already, and a value that thousands share (a template) would otherwise cost thousands of comparisons.
 */
export class BandTable {
  readonly #signatures: SignatureList;
  readonly #band: number;
  #slots: Int32Array;
  #used = 0;

  constructor(signatures: SignatureList, band: number, expected = 0) {
    this.#signatures = signatures;
    this.#band = band;
    this.#slots = new Int32Array(slotsFor(expected)).fill(NONE);
  }

  /** Puts a signature in, and returns the one that had its value until now, or -1. */
  replace(number: number): number {
    if (this.#used >= this.#slots.length * MAX_LOAD) this.#grow();
    return this.#put(number);
  }

  /** The signature that has the value of the given one, or -1. */
  find(number: number): number {
    return this.#slots[this.#slotOf(number)] as number;
  }

  #put(number: number): number {
    const slot = this.#slotOf(number);
    const previous = this.#slots[slot] as number;
    if (previous === NONE) this.#used += 1;
    this.#slots[slot] = number;
    return previous;
  }

  #slotOf(number: number): number {
    const value = this.#signatures.band(number, this.#band);
    const mask = this.#slots.length - 1;
    let slot = mix32(value) & mask;
    for (;;) {
      const held = this.#slots[slot] as number;
      if (held === NONE || this.#signatures.band(held, this.#band) === value) return slot;
      slot = (slot + 1) & mask;
    }
  }

  #grow(): void {
    const held = this.#slots;
    this.#slots = new Int32Array(held.length * (held.length < LARGE ? 4 : 2)).fill(NONE);
    this.#used = 0;
    for (const number of held) if (number !== NONE) this.#put(number);
  }
}

function slotsFor(expected: number): number {
  let slots = MIN_SLOTS;
  while (slots * MAX_LOAD < expected) slots *= 2;
  return slots;
}
