/** `Math.imul`, bound once: in scripts with their own context, a global is looked up at each use. */
export const { imul } = Math;

/**
 * Mixes every bit of a 32-bit integer into all bits of the result, a signed integer: the finalizer of MurmurHash3
 * (Appleby, 2011). Stored signatures depend on it.
 */
export function mix32(value: number): number {
  let mixed = value;
  mixed = imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
