import { processorTimeMs } from '../processor-time.ts';
import type { HostileText } from './texts.ts';

/** Reads a text; what it returns is not looked at. */
export type Work = (text: string) => unknown;

export interface GrowthOptions {
  /** Length of the text that is tried first, in UTF-16 code units. */
  length: number;
  /** Time for it below which its growth is not looked into, in milliseconds of processor time. */
  floorMs: number;
}

/** For readers of texts that take a microsecond for a character, or less. */
const LONG: GrowthOptions = { length: 10_000, floorMs: 20 };
const FACTOR = 4;
/** Between the growth of linear work, four, and of quadratic work, sixteen. */
const MAX_GROWTH = 8;
const REPEATS = 3;
/** Lengths at which work that grows exponentially, or with the cube, is found out before it would hold the test. */
const FIRST_LENGTHS = [24, 28, 32, 40, 48, 64, 128, 512];
const HOPELESS_MS = 200;

/**
 * How the time of some work grows between a text and one four times as long, where that is more than linear; undefined
 * where it is linear, or next to nothing. Whether it is next to nothing is told by the clock, which costs least, and how
 * it grows by processor time, the best of several tries, so that a busy machine is no growth.
 */
export function superLinearGrowth(
  work: Work,
  text: HostileText,
  { length, floorMs }: GrowthOptions,
): string | undefined {
  for (const first of FIRST_LENGTHS.filter((each) => each < length)) {
    const firstMs = timeAbove(HOPELESS_MS, work, text.of(first));
    if (firstMs !== undefined) return described({ [first]: firstMs });
  }
  const shortMs = timeAbove(floorMs, work, text.of(length));
  if (shortMs === undefined) return undefined;
  const longMs = bestOf(work, text.of(length * FACTOR));
  return longMs < shortMs * MAX_GROWTH ? undefined : described({ [length]: shortMs, [length * FACTOR]: longMs });
}

/** The texts on which the time of some work grows more than linearly, each with how it does; none, as it should be. */
export function slowTexts(work: Work, texts: readonly HostileText[], options: GrowthOptions = LONG): string[] {
  return texts.flatMap((text) => {
    const growth = superLinearGrowth(work, text, options);
    return growth === undefined ? [] : [`${text.name}: ${growth}`];
  });
}

/** The time of some work, where that is not below a floor. */
function timeAbove(floorMs: number, work: Work, text: string): number | undefined {
  if (timeOf(work, text, () => performance.now()) < floorMs) return undefined;
  const bestMs = bestOf(work, text);
  return bestMs < floorMs ? undefined : bestMs;
}

function described(msByLength: Readonly<Record<number, number>>): string {
  return Object.entries(msByLength)
    .map(([length, ms]) => `${ms.toFixed(1)} ms for ${length} characters`)
    .join(', ');
}

function bestOf(work: Work, text: string): number {
  let bestMs = timeOf(work, text);
  for (let repeat = 1; repeat < REPEATS && bestMs < HOPELESS_MS; repeat += 1) {
    bestMs = Math.min(bestMs, timeOf(work, text));
  }
  return bestMs;
}

function timeOf(work: Work, text: string, clockMs = processorTimeMs): number {
  const startedAtMs = clockMs();
  work(text);
  return clockMs() - startedAtMs;
}
