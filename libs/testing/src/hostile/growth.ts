import { processorTimeMs } from '../processor-time.ts';
import { ALL_TEXTS, type HostileText } from './texts.ts';

/** Reader of a text; its result is ignored. */
export type Work = (text: string) => unknown;

export interface GrowthOptions {
  /** Length of the text that is tried first, in UTF-16 code units. */
  length: number;
  /** Time for that text below which its growth is not examined, in milliseconds of processor time. */
  floorMs: number;
}

/** Options for readers that take at most a microsecond per character; the texts of the long tier are longer. */
const LONG: GrowthOptions = ALL_TEXTS ? { length: 10_000, floorMs: 20 } : { length: 5_000, floorMs: 10 };
const FACTOR = 4;
/** Limit between the growth of linear work, four, and of quadratic work, sixteen. */
const MAX_GROWTH = 8;
const ROUNDS = 3;
const REPEATS = 3;
/** Tries of a long text: work that is linear ends them early, and a busy machine slows some of them. */
const LONG_REPEATS = 12;
/** Factor above the limit that quadratic work has, and work that a busy machine slows hardly ever. */
const FAR = 1.5;
/** Lengths at which exponential or cubic work is detected before it would block the test. */
const FIRST_LENGTHS = [24, 26, 28, 32, 40, 48, 64, 128, 512];
const HOPELESS_MS = 200;

/**
 * Describes how the time of some work grows between a text and one four times as long, if that is more than linear;
 * undefined if it is linear, or negligible. The clock, which costs least, tells whether the time is negligible. The
 * growth is measured in processor time, as the best of several tries, so that a busy machine does not look like growth.
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
  let growth: string | undefined;
  // Both are measured again: a machine that became slow between them looks like growth.
  for (let round = 0; round < ROUNDS; round += 1) {
    const shortMs = timeAbove(floorMs, work, text.of(length));
    if (shortMs === undefined) return undefined;
    const longMs = bestOf(work, text.of(length * FACTOR), shortMs * MAX_GROWTH);
    if (longMs < shortMs * MAX_GROWTH) return undefined;
    growth = described({ [length]: shortMs, [length * FACTOR]: longMs });
  }
  return growth;
}

/**
 * Lists the texts on which the time of some work grows more than linearly, each with its growth; empty if all is well.
 */
export function slowTexts(work: Work, texts: readonly HostileText[], options: GrowthOptions = LONG): string[] {
  return texts.flatMap((text) => {
    const growth = superLinearGrowth(work, text, options);
    return growth === undefined ? [] : [`${text.name}: ${growth}`];
  });
}

/** Measures the time of some work; undefined if it is below the minimum. */
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

/** Measures the shortest time of several tries; one below `enoughMs` is enough, and few tell what is far above. */
function bestOf(work: Work, text: string, enoughMs = 0): number {
  let bestMs = timeOf(work, text);
  for (let tries = 1; bestMs >= enoughMs && bestMs < HOPELESS_MS; tries += 1) {
    const isNear = enoughMs > 0 && bestMs < enoughMs * FAR;
    if (tries >= (isNear ? LONG_REPEATS : REPEATS)) break;
    bestMs = Math.min(bestMs, timeOf(work, text));
  }
  return bestMs;
}

function timeOf(work: Work, text: string, clockMs = processorTimeMs): number {
  const startedAtMs = clockMs();
  work(text);
  return clockMs() - startedAtMs;
}
