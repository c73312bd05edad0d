/** Run of equal steps or of equal cycles of steps. */
export interface Loop {
  /** Index of the first step. */
  readonly start: number;
  /** Number of different steps per round. */
  readonly period: number;
  readonly rounds: number;
}

const MAX_PERIOD = 3;
const MIN_ROUNDS = 3;

/**
 * Finds the loops in a sequence of step keys: a step, or a cycle of two or three, that occurs three times or more in a
 * row. One pass per period; a run that also repeats with a shorter period is reported with that one.
 */
export function findLoops(keys: readonly string[]): Loop[] {
  const loops: Loop[] = [];
  const covered = new Uint8Array(keys.length);
  for (let period = 1; period <= MAX_PERIOD; period += 1) {
    let runStart = 0;
    for (let index = period; index <= keys.length; index += 1) {
      if (index < keys.length && keys[index] === keys[index - period]) continue;
      const rounds = Math.floor((index - runStart) / period);
      if (rounds >= MIN_ROUNDS && covered[runStart] === 0) {
        loops.push({ start: runStart, period, rounds });
        covered.fill(1, runStart, index);
      }
      runStart = index - period + 1;
    }
  }
  return loops.sort((left, right) => left.start - right.start);
}
