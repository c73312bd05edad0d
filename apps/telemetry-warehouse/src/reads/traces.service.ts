import type { StoredSpan } from '@clew/conversation';
import {
  notFound,
  page,
  takeSlice,
  type CursorCodec,
  type CursorKey,
  type ListDefinition,
  type PageQuery,
  type SliceRequest,
} from '@clew/kernel';
import { FragmentsReplacedError, readRecords, type FragmentStore, type SpanRow } from '../fragments/index.ts';
import { nextRows } from './trace-rows.ts';

const TRACE: ListDefinition = { name: 'trace' };

export type TracesService = ReturnType<typeof createTracesService>;

/** Maximum characters of content in a page: it ends early beyond this, since one span may have megabytes. */
const MAX_PAGE_CHARACTERS = 8 * 1024 * 1024;
/** Maximum attempts when fragments are replaced during a read; after that, something must be wrong. */
const MAX_ATTEMPTS = 5;

export interface TracesDependencies {
  fragments: Pick<FragmentStore, 'walkHeads' | 'contentsOf' | 'existing'>;
  cursors: CursorCodec;
}

export function createTracesService({ fragments, cursors }: TracesDependencies) {
  async function readSlice(projectId: string, traceId: string, { limit, after }: SliceRequest, attempt = 1) {
    const afterSpan = after === undefined ? undefined : String(after[0]);
    const { rows, spanCount } = await nextRows(fragments.walkHeads(projectId, traceId), { after: afterSpan, limit });
    const { items, next } = await takeSlice(rows, {
      limit,
      keyOf: ({ spanId }: SpanRow): CursorKey => [spanId],
      size: { max: MAX_PAGE_CHARACTERS, of: ({ length }) => length },
    });
    try {
      const [records] = await readRecords(fragments, [{ spans: items, logs: [] }]);
      return { items: records?.spans ?? [], next, spanCount };
    } catch (error) {
      if (!(error instanceof FragmentsReplacedError) || attempt === MAX_ATTEMPTS) throw error;
      return await readSlice(projectId, traceId, { limit, after }, attempt + 1);
    }
  }

  return {
    /** Returns one page of the spans of a trace, ordered by span id. */
    async get(projectId: string, traceId: string, query: PageQuery) {
      const request = { projectId, filters: { traceId }, ...query };
      const { items, nextCursor, spanCount } = await page(cursors, TRACE, request, (slice) =>
        readSlice(projectId, traceId, slice),
      );
      if (spanCount === 0) throw notFound();
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
