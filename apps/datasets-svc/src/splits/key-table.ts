import { imul, mix32 } from '@clew/similarity';

const NONE = -1;
const MIN_SLOTS = 1024;
const MAX_LOAD = 0.7;

/**
 * Maps texts to numbers. Only 64 bits of hash are kept per text: among a million texts, two collide in one of 37
 * million tables, and twelve bytes replace about a hundred.
 */
export class KeyTable {
  #high: Int32Array;
  #low: Int32Array;
  #values: Int32Array;
  #used = 0;

  constructor(expected = 0) {
    let slots = MIN_SLOTS;
    while (slots * MAX_LOAD < expected) slots *= 2;
    this.#high = new Int32Array(slots);
    this.#low = new Int32Array(slots);
    this.#values = new Int32Array(slots).fill(NONE);
  }

  /** Returns the number of a text; a new text gets the given number. */
  getOrSet(text: string, value: number): number {
    if (this.#used >= this.#values.length * MAX_LOAD) this.#grow();
    const high = hashOf(text, 0x2545f491);
    const low = hashOf(text, 0x6c8e9cf5);
    const slot = this.#slotOf(high, low);
    const held = this.#values[slot] as number;
    if (held !== NONE) return held;
    this.#set(slot, high, low, value);
    return value;
  }

  get(text: string): number | undefined {
    const slot = this.#slotOf(hashOf(text, 0x2545f491), hashOf(text, 0x6c8e9cf5));
    const value = this.#values[slot] as number;
    return value === NONE ? undefined : value;
  }

  #set(slot: number, high: number, low: number, value: number): void {
    this.#high[slot] = high;
    this.#low[slot] = low;
    this.#values[slot] = value;
    this.#used += 1;
  }

  #slotOf(high: number, low: number): number {
    const mask = this.#values.length - 1;
    let slot = low & mask;
    while (this.#values[slot] !== NONE && (this.#high[slot] !== high || this.#low[slot] !== low)) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  #grow(): void {
    const [high, low, values] = [this.#high, this.#low, this.#values];
    const slots = values.length * 2;
    this.#high = new Int32Array(slots);
    this.#low = new Int32Array(slots);
    this.#values = new Int32Array(slots).fill(NONE);
    this.#used = 0;
    values.forEach((value, index) => {
      if (value === NONE) return;
      const [keyHigh, keyLow] = [high[index] as number, low[index] as number];
      this.#set(this.#slotOf(keyHigh, keyLow), keyHigh, keyLow, value);
    });
  }
}

function hashOf(text: string, seed: number): number {
  let hash = seed ^ text.length;
  for (let index = 0; index < text.length; index += 1) {
    hash = imul(hash ^ text.charCodeAt(index), 0x5bd1e995);
    hash ^= hash >>> 15;
  }
  return mix32(hash);
}
