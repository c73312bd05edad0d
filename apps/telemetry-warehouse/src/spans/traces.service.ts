import { AppError, notFound, type CursorCodec, type CursorScope } from '@clew/kernel';
import type { StoredSpan } from '../dialects/index.ts';
import type { SpanStore } from './spans.store.ts';

export type TracesService = ReturnType<typeof createTracesService>;

/** A page ends early where its spans have more content than this; one span may have megabytes. */
const MAX_PAGE_CHARACTERS = 8 * 1024 * 1024;

export function createTracesService({ spans, cursors }: { spans: SpanStore; cursors: CursorCodec }) {
  return {
    /** One page of the spans of a trace, by span id. */
    async get(projectId: string, traceId: string, { limit, cursor }: { limit: number; cursor?: string | undefined }) {
      const scope: CursorScope = { list: 'trace', projectId, filters: { traceId } };
      const after = cursor === undefined ? undefined : cursors.decode(scope, cursor);
      if (cursor !== undefined && after === undefined) throw new AppError('INVALID_CURSOR', 'The cursor is not valid');
      const afterSpanId = after === undefined ? undefined : String(after[0]);
      const [page, spanCount] = await Promise.all([
        spans.readTracePage(projectId, traceId, { limit, maxCharacters: MAX_PAGE_CHARACTERS, afterSpanId }),
        spans.countSpans(projectId, traceId),
      ]);
      if (spanCount === 0) throw notFound();
      const last = page.spans.at(-1);
      return {
        traceId,
        projectId,
        spanCount,
        spans: page.spans.map(traceSpan),
        nextCursor: page.hasMore && last !== undefined ? cursors.encode(scope, [last.spanId]) : null,
      };
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
