/** Maximum count of numbers that are combined: more combinations would explain any number. */
export const MAX_SOURCES = 60;
const MAX_FACTOR = 12;
const TOLERANCE = 0.006;

/**
 * Tells whether a number follows from others in one step of arithmetic: a sum, difference, product or quotient of two
 * of them, a small multiple of one, or a percentage. If there are many sources, the latest count.
 */
export function isDerivable(target: number, sources: readonly number[]): boolean {
  const numbers = [...new Set(sources.slice(-MAX_SOURCES))].filter(Number.isFinite);
  const hits = (value: number): boolean => Math.abs(value - target) <= TOLERANCE;
  for (const [index, left] of numbers.entries()) {
    if (hits(left) || hits(Math.round(left))) return true;
    for (let factor = 2; factor <= MAX_FACTOR; factor += 1) if (hits(left * factor) || hits(left / factor)) return true;
    for (const right of numbers.slice(index + 1)) {
      if (hits(left + right) || hits(Math.abs(left - right)) || hits(left * right)) return true;
      if (right !== 0 && (hits(left / right) || hits((100 * left) / right))) return true;
      if (left !== 0 && (hits(right / left) || hits((100 * right) / left))) return true;
    }
  }
  return hits(numbers.reduce((sum, number) => sum + number, 0)) && numbers.length > 1;
}
