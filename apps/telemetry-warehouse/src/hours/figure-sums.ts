import { BUCKETS } from '../conversations/index.ts';
import type { HourFigures, HourRow } from './hour-row.model.ts';

/** Numbers of an hour beside its durations, in the order in which they are packed. */
export const NUMBERS = ['conversations', 'flagged', 'failed', 'inputTokens', 'outputTokens'] as const;

/** Figures in a form that thousands of hours are summed up in: the durations are an array with a place for each bucket. */
export class FigureSums implements Omit<HourFigures, 'latency'> {
  conversations = 0;
  flagged = 0;
  failed = 0;
  inputTokens = 0;
  outputTokens = 0;
  /** Numbers of durations by bucket. */
  readonly latency = new Float64Array(BUCKETS);

  /** Adds figures as a row of an hour has them. */
  add(row: Pick<HourRow, keyof HourFigures>): void {
    for (const name of NUMBERS) this[name] += row[name];
    for (const [bucket, count] of Object.entries(row.latency ?? {})) this.#count(Number(bucket), count);
  }

  #count(bucket: number, count: number): void {
    this.latency[bucket] = (this.latency[bucket] ?? 0) + count;
  }
}
