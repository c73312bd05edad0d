import { isBetterVersion, rowsOf, type FragmentHead, type SpanRow } from '../fragments/index.ts';

/** Next spans of a trace. */
export interface TraceRows {
  /** Rows ordered by span id; one more than requested if there are more. */
  rows: SpanRow[];
  /** Number of spans in the whole trace. */
  spanCount: number;
}

/** Number of spans in a trace beyond which a span that was exported twice may be counted twice. */
const MAX_KNOWN_SPANS = 200_000;
/** Number of surplus rows at which the rows are cut back to the wanted ones. */
const MAX_SPARE_ROWS = 5_000;

/**
 * Finds the first spans after a span id among all fragments of a trace, which come in any order, with limited memory.
 */
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
