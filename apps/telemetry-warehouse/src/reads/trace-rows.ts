import { isBetterVersion, rowsOf, type FragmentHead, type SpanRow } from '../fragments/index.ts';

/** The next spans of a trace. */
export interface TraceRows {
  /** By span id; one more than were asked for where there are more. */
  rows: SpanRow[];
  /** Of the whole trace. */
  spanCount: number;
}

/** Of a trace with more spans than this, a span that was exported twice may be counted twice. */
const MAX_KNOWN_SPANS = 200_000;
/** Rows are thinned out once there are so many more than are wanted. */
const MAX_SPARE_ROWS = 5_000;

/** The first spans after a span id, from all fragments of a trace, which come in any order; in bounded memory. */
export async function nextRows(
  heads: AsyncIterable<FragmentHead>,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<TraceRows> {
  const known = new Set<string>();
  let uncounted = 0;
  let rows = new Map<string, SpanRow>();
  for await (const head of heads) {
    for (const row of rowsOf([head]).spans) {
      const { spanId } = row;
      if (known.size < MAX_KNOWN_SPANS) known.add(spanId);
      else if (!known.has(spanId)) uncounted += 1;
      if (after !== undefined && spanId <= after) continue;
      const other = rows.get(spanId);
      if (other === undefined || isBetterVersion(row, other)) rows.set(spanId, row);
    }
    if (rows.size > limit + MAX_SPARE_ROWS) rows = new Map(firstOf(rows, limit + 1).map((row) => [row.spanId, row]));
  }
  return { rows: firstOf(rows, limit + 1), spanCount: known.size + uncounted };
}

function firstOf(rows: ReadonlyMap<string, SpanRow>, count: number): SpanRow[] {
  return [...rows.values()].sort((left, right) => (left.spanId < right.spanId ? -1 : 1)).slice(0, count);
}
