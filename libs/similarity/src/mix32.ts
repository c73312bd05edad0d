/** `Math.imul`, bound once: a global is looked up anew at each use where scripts run in a context of their own. */
export const { imul } = Math;

/**
 * Spreads every bit of a 32-bit integer over all bits of the result, which is a signed one: the finaliser of MurmurHash3
 * (Appleby, 2011). Stored signatures depend on it.
 */
export function mix32(value: number): number {
  let mixed = value;
  mixed = imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
