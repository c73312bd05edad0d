/** Draws an integer from 0 to `below` - 1. */
export type Draw = (below: number) => number;

const MODULUS = 2 ** 31;

/** Random generator: the same seed draws the same numbers, so that a failure can be repeated. */
export function seededRandom(seed: number): Draw {
  let state = seed % MODULUS;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % MODULUS;
    return Math.floor((state / MODULUS) * below);
  };
}

/** All items, in random order. */
export function inAnyOrder<Item>(items: readonly Item[], draw: Draw): Item[] {
  const left = [...items];
  return items.map(() => left.splice(draw(left.length), 1)[0] as Item);
}
