/** Buckets of one doubling: each is about a fifth wider than the one before. */
const PER_DOUBLING = 4;
/** Last bucket: everything from about four hours on. */
const MAX_BUCKET = 95;
export const BUCKETS = MAX_BUCKET + 1;

/** Numbers of durations by bucket, at most 96 of them. */
export type Histogram = Record<string, number>;

/** Bucket of a duration. */
export function durationBucket(durationMs: number): number {
  if (durationMs < 1) return 0;
  return Math.min(MAX_BUCKET, 1 + Math.floor(Math.log2(durationMs) * PER_DOUBLING));
}

/** Counts durations by bucket. */
export function histogramOf(durationsMs: readonly number[]): Histogram {
  const histogram: Histogram = {};
  for (const durationMs of durationsMs) {
    const bucket = durationBucket(durationMs);
    histogram[bucket] = (histogram[bucket] ?? 0) + 1;
  }
  return histogram;
}

/** Quantile of durations that are counted by bucket, to about a tenth of its value; null if there are none. */
export function quantileOf(counts: Float64Array, share: number): number | null {
  let total = 0;
  for (const count of counts) total += count;
  let left = Math.max(1, Math.ceil(total * share));
  for (let bucket = 0; bucket < counts.length; bucket += 1) {
    left -= counts[bucket] ?? 0;
    if (left <= 0) return middleOf(bucket);
  }
  return null;
}

/** Middle of a bucket, in milliseconds. */
function middleOf(bucket: number): number {
  return bucket === 0 ? 0 : Math.round(2 ** ((bucket - 0.5) / PER_DOUBLING));
}
