import { notFound, page, type CursorCodec, type ListDefinition, type PageQuery } from '@clew/kernel';
import type { StoredSpan } from '../dialects/index.ts';
import type { SpanStore } from './spans.store.ts';

const TRACE: ListDefinition = { name: 'trace' };

export type TracesService = ReturnType<typeof createTracesService>;

/** A page ends early where its spans have more content than this; one span may have megabytes. */
const MAX_PAGE_CHARACTERS = 8 * 1024 * 1024;

export function createTracesService({ spans, cursors }: { spans: SpanStore; cursors: CursorCodec }) {
  return {
    /** One page of the spans of a trace, by span id. */
    async get(projectId: string, traceId: string, query: PageQuery) {
      const request = { projectId, filters: { traceId }, ...query };
      const { items, nextCursor, spanCount } = await page(cursors, TRACE, request, async (slice) => {
        const [found, count] = await Promise.all([
          spans.readTrace(projectId, traceId, { ...slice, maxCharacters: MAX_PAGE_CHARACTERS }),
          spans.countSpans(projectId, traceId),
        ]);
        if (count === 0) throw notFound();
        return { ...found, spanCount: count };
      });
      return { traceId, projectId, spanCount, spans: items.map(traceSpan), nextCursor };
    },
  };
}

function traceSpan(span: StoredSpan) {
  const { spanId, name, kind, startTimeUnixNano, endTimeUnixNano, statusCode, attributes, events } = span;
  return {
    ...{ spanId, name, kind, startTimeUnixNano, endTimeUnixNano, statusCode, attributes, events },
    parentSpanId: span.parentSpanId ?? null,
    statusMessage: span.statusMessage ?? null,
    scopeName: span.scopeName === '' ? null : span.scopeName,
  };
}
