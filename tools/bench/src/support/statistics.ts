/** Median; for an even number of values, the mean of the middle two. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** Value below which the given share of the values lies (nearest rank). */
export function percentile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

export function sumOf(values: readonly number[]): number {
  return values.reduce((sum, each) => sum + each, 0);
}

export function meanOf(values: readonly number[]): number {
  return sumOf(values) / values.length;
}

/** Variance of what the values are a sample of; there are two of them at least. */
export function varianceOf(values: readonly number[]): number {
  const mean = meanOf(values);
  return sumOf(values.map((each) => (each - mean) ** 2)) / (values.length - 1);
}

export function round(value: number, digits = 2): number {
  return Number(value.toFixed(digits));
}
