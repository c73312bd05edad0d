/** Window of a series: intervals of one length. */
export interface SeriesWindow {
  readonly startMs: number;
  readonly endMs: number;
  readonly intervalMs: number;
}

const MAX_INTERVALS = 1_000;

/** Points of a series with those in between that had nothing to count, which the API leaves out. */
export function filled<Point extends { readonly startMs: number }>(
  { startMs, endMs, intervalMs }: SeriesWindow,
  points: readonly Point[],
  nothing: (startMs: number) => Point,
): Point[] {
  const number = Math.min(MAX_INTERVALS, Math.ceil((endMs - startMs) / intervalMs));
  // Points belong to the interval in which they begin: the server may align intervals in its own way.
  const byInterval = new Map(points.map((point) => [Math.floor((point.startMs - startMs) / intervalMs), point]));
  return Array.from({ length: number }, (_, at) => byInterval.get(at) ?? nothing(startMs + at * intervalMs));
}
