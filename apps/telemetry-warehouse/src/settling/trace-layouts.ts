import { conversationOf } from '../reconstruction/index.ts';
import type { ContentName, RecordRow, RecordStore, TraceName } from '../spans/records.store.ts';

/** What of one trace belongs to one conversation. */
export interface TracePart {
  traceId: string;
  spanIds: string[];
  contents: ContentName[];
  /** The spans themselves, where they were read to find this out. */
  rows?: RecordRow[];
  /** The trace has more spans than are looked at. */
  truncated: boolean;
}

/** Finds out which spans of traces belong to which conversation. */
export interface TraceLayouts {
  partsOf(projectId: string, traceIds: readonly string[], conversationId: string): Promise<TracePart[]>;
}

export interface TraceLayoutsOptions {
  maxSpansOfTrace?: number;
}

/** By conversation. */
type Layout = Map<string, TracePart>;

/** Traces are nearly always small: many are read at once, and one by one where these together are not. */
const ROWS_OF_ONE_READ = 5_000;
const MAX_SPANS_OF_TRACE = 50_000;
/** Spans of remembered traces together. */
const MAX_REMEMBERED_SPANS = 100_000;
const SPAN_ID_LENGTH = 16;

/**
 * Layouts for conversations that are assembled one after the other. A trace of several conversations is remembered, so
 * that one of ten thousand is not read ten thousand times. What is remembered was read after the conversations were
 * claimed, so that it holds all that their claims have seen; it must not serve conversations that are claimed later.
 */
export function createTraceLayouts(records: RecordStore, options: TraceLayoutsOptions = {}): TraceLayouts {
  const { maxSpansOfTrace = MAX_SPANS_OF_TRACE } = options;
  const remembered = new Map<string, Layout>();
  let rememberedSpans = 0;

  function remember(key: string, layout: Layout, spanCount: number): void {
    if (layout.size < 2 || rememberedSpans + spanCount > MAX_REMEMBERED_SPANS) return;
    rememberedSpans += spanCount;
    const slim = [...layout].map(([conversationId, { rows: _, ...part }]) => [conversationId, part] as const);
    remembered.set(key, new Map(slim));
  }

  async function read(projectId: string, traceIds: readonly string[]): Promise<Map<string, Layout>> {
    const alone = traceIds.length === 1;
    const limit = alone ? maxSpansOfTrace : Math.min(ROWS_OF_ONE_READ, maxSpansOfTrace);
    const rows = await records.readRows(projectId, traceIds, limit + 1);
    // Content is stored before its row: only in this order does a row without content mean that it has expired.
    const contents = await records.readContentNames(projectId, traceIds, 2 * limit + 1);
    const tooMany = rows.length > limit || contents.length > 2 * limit;
    if (tooMany && !alone) {
      const layouts = new Map<string, Layout>();
      for (const traceId of traceIds) for (const entry of await read(projectId, [traceId])) layouts.set(...entry);
      return layouts;
    }
    const layouts = layoutsOf(rows.slice(0, limit), contents, tooMany);
    for (const [traceId, layout] of layouts) remember(`${projectId}:${traceId}`, layout, rows.length);
    return layouts;
  }

  return {
    async partsOf(projectId, traceIds, conversationId) {
      const known = (traceId: string) => remembered.get(`${projectId}:${traceId}`);
      const unknown = traceIds.filter((traceId) => known(traceId) === undefined);
      const layouts = unknown.length === 0 ? new Map<string, Layout>() : await read(projectId, unknown);
      return traceIds
        .map((traceId) => (layouts.get(traceId) ?? known(traceId))?.get(conversationId))
        .filter((part) => part !== undefined);
    },
  };
}

function layoutsOf(
  rows: readonly RecordRow[],
  contents: readonly TraceName[],
  truncated: boolean,
): Map<string, Layout> {
  const rowsByTrace = Map.groupBy(rows, ({ traceId }) => traceId);
  const contentsByTrace = Map.groupBy(contents, ({ traceId }) => traceId);
  const traceIds = new Set([...rowsByTrace.keys(), ...contentsByTrace.keys()]);
  return new Map(
    [...traceIds].map((traceId) => {
      const names = (contentsByTrace.get(traceId) ?? []).map(({ name }) => name);
      return [traceId, layoutOf(traceId, rowsByTrace.get(traceId) ?? [], names, truncated)];
    }),
  );
}

function layoutOf(
  traceId: string,
  rows: readonly RecordRow[],
  names: readonly ContentName[],
  truncated: boolean,
): Layout {
  const known = new Set(rows.map(({ spanId }) => spanId));
  // A log record whose span has not come goes where a span without name and parent would.
  const awaited = new Set(names.map(spanIdOf).filter((spanId) => !known.has(spanId)));
  const places = [...awaited].map((spanId) => ({ traceId, spanId, startTimeUnixNano: '0' }));
  const conversations = conversationOf([...rows, ...places]);
  const layout: Layout = new Map();
  const partFor = (spanId: string) => {
    const conversationId = conversations.get(spanId) ?? traceId;
    const part = layout.get(conversationId) ?? { traceId, spanIds: [], contents: [], rows: [], truncated };
    layout.set(conversationId, part);
    return part;
  };
  for (const row of rows) {
    const part = partFor(row.spanId);
    part.spanIds.push(row.spanId);
    part.rows?.push(row);
  }
  for (const name of names) partFor(spanIdOf(name)).contents.push(name);
  return layout;
}

/** The span that a content belongs to. */
export function spanIdOf(name: ContentName): string {
  return name.slice(0, SPAN_ID_LENGTH);
}
