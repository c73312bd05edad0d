const DIMENSIONS = 384;

/** Gives each number its own direction, always the same. */
export function directionOf(seed: number): Float32Array<ArrayBuffer> {
  let state = Math.imul(seed + 1, 2_654_435_761) | 0;
  const next = () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) | 0;
    return ((state >>> 8) & 0xffff) / 0xffff - 0.5;
  };
  return unit(Float32Array.from({ length: DIMENSIONS }, next));
}

/** Vector with that cosine to a direction, turned towards another one. */
export function vectorAt(cosine: number, direction: Float32Array, towards: Float32Array): Float32Array<ArrayBuffer> {
  const along = direction.reduce((sum, value, index) => sum + value * (towards[index] ?? 0), 0);
  const aside = unit(Float32Array.from(towards, (value, index) => value - along * (direction[index] ?? 0)));
  const sine = Math.sqrt(1 - cosine * cosine);
  return Float32Array.from(direction, (value, index) => cosine * value + sine * (aside[index] ?? 0));
}

function unit(vector: Float32Array<ArrayBuffer>): Float32Array<ArrayBuffer> {
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}
