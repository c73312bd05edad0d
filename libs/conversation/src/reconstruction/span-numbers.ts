import { randomInt } from 'node:crypto';

const FIRST_CAPACITY = 64;
/** Slots per number: at least half of them stay free, so that a search is short. */
const SLOTS_PER_NUMBER = 2;
const FREE = -1;
/** Random per process, so that nobody can choose ids that collide. */
const [FIRST, SECOND, ODD] = [randomInt(2 ** 32), randomInt(2 ** 32), randomInt(2 ** 31) * 2 + 1];

/**
 * Numbers span ids (16 hexadecimal digits) in the order of their arrival, from 0 on. An id takes 16 to 32 bytes, while
 * a Map takes about a hundred; a sender may put any number of spans into a trace.
 */
export class SpanNumbers {
  #high = new Uint32Array(FIRST_CAPACITY);
  #low = new Uint32Array(FIRST_CAPACITY);
  #slots = new Int32Array(FIRST_CAPACITY * SLOTS_PER_NUMBER).fill(FREE);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Returns the number of a known id. */
  find(spanId: string): number | undefined {
    const [high, low] = halvesOf(spanId);
    const number = this.#slots[this.#slotOf(high, low)] ?? FREE;
    return number === FREE ? undefined : number;
  }

  /** Returns the number of an id, assigning a new one to an unknown id. */
  of(spanId: string): number {
    const [high, low] = halvesOf(spanId);
    const slot = this.#slotOf(high, low);
    const known = this.#slots[slot] ?? FREE;
    if (known !== FREE) return known;
    const number = this.#size;
    this.#size += 1;
    this.#high[number] = high;
    this.#low[number] = low;
    this.#slots[slot] = number;
    if (this.#size === this.#high.length) this.#grow();
    return number;
  }

  /** Returns the slot of an id, or the free slot for it. */
  #slotOf(high: number, low: number): number {
    const mask = this.#slots.length - 1;
    let mixed = Math.imul(high ^ FIRST, ODD) ^ Math.imul(low ^ SECOND, 0x9e37_79b1);
    mixed = Math.imul(mixed ^ (mixed >>> 15), ODD);
    let slot = (mixed ^ (mixed >>> 13)) & mask;
    for (;;) {
      const number = this.#slots[slot] ?? FREE;
      if (number === FREE || (this.#high[number] === high && this.#low[number] === low)) return slot;
      slot = (slot + 1) & mask;
    }
  }

  #grow(): void {
    const capacity = this.#size * 2;
    const [high, low] = [new Uint32Array(capacity), new Uint32Array(capacity)];
    high.set(this.#high);
    low.set(this.#low);
    [this.#high, this.#low] = [high, low];
    this.#slots = new Int32Array(capacity * SLOTS_PER_NUMBER).fill(FREE);
    for (let number = 0; number < this.#size; number += 1) {
      this.#slots[this.#slotOf(high[number] ?? 0, low[number] ?? 0)] = number;
    }
  }
}

function halvesOf(spanId: string): [number, number] {
  return [Number.parseInt(spanId.slice(0, 8), 16), Number.parseInt(spanId.slice(8), 16)];
}
