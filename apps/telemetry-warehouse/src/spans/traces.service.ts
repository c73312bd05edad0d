import { AppError, notFound, type CursorCodec, type CursorScope } from '@clew/kernel';
import { spanKey } from './span-documents.ts';
import type { SpanStore } from './spans.store.ts';

export type TracesService = ReturnType<typeof createTracesService>;

export function createTracesService({ spans, cursors }: { spans: SpanStore; cursors: CursorCodec }) {
  return {
    /** One page of the spans of a trace, by span id. */
    async get(projectId: string, traceId: string, page: { limit: number; cursor?: string | undefined }) {
      const scope: CursorScope = { list: 'trace', projectId, filters: { traceId } };
      const after = page.cursor === undefined ? undefined : cursors.decode(scope, page.cursor);
      if (page.cursor !== undefined && after === undefined) {
        throw new AppError('INVALID_CURSOR', 'The cursor is not valid');
      }
      const afterId = after === undefined ? undefined : spanKey(projectId, traceId, String(after[0]));
      const [found, spanCount] = await Promise.all([
        spans.readTracePage(projectId, traceId, { limit: page.limit + 1, afterId }),
        spans.countSpans(projectId, traceId),
      ]);
      if (spanCount === 0) throw notFound();
      const shown = found.slice(0, page.limit);
      const last = shown.at(-1);
      const more = found.length > page.limit && last !== undefined;
      return {
        traceId,
        projectId,
        spanCount,
        spans: shown.map(({ span }) => ({
          spanId: span.spanId,
          parentSpanId: span.parentSpanId ?? null,
          name: span.name,
          kind: span.kind,
          startTimeUnixNano: span.startTimeUnixNano,
          endTimeUnixNano: span.endTimeUnixNano,
          statusCode: span.statusCode,
          statusMessage: span.statusMessage ?? null,
          scopeName: span.scopeName === '' ? null : span.scopeName,
          attributes: span.attributes,
          events: span.events,
        })),
        nextCursor: more ? cursors.encode(scope, [last.span.spanId]) : null,
      };
    },
  };
}
