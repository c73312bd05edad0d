import { inParts, takeSlice, type CursorKey, type Slice, type SliceRequest } from '@clew/kernel';
import { findInOrder, insertNew, type Database, type KeysetSort } from '@clew/persistence';
import type { StoredSpan } from '../dialects/index.ts';
import type { SpanPlace } from './message-documents.ts';
import { rawPayloadModel, spanModel, type RawPayload, type SpanRow } from './span.model.ts';
import { spanKey, storedSpan, traceRange, type SpanContent } from './span-documents.ts';

export interface SpanStore {
  /** Stores each document once; one that is there already stays as it is. */
  write(rows: readonly SpanRow[], payloads: readonly RawPayload[]): Promise<void>;
  /** Where spans of a trace stand; those that are not there are left out. */
  readPlaces(projectId: string, traceId: string, spanIds: readonly string[]): Promise<SpanPlace[]>;
  /** Spans of a trace by span id: at most so many, and as many as fit in so many characters of content. */
  readTrace(projectId: string, traceId: string, slice: TraceSliceRequest): Promise<Slice<StoredSpan>>;
  countSpans(projectId: string, traceId: string): Promise<number>;
}

/** The key of a span in its trace is its id. */
export interface TraceSliceRequest extends SliceRequest {
  maxCharacters: number;
}

/** Characters of content in one write; the server takes 48 MB. */
const MAX_WRITE_CHARACTERS = 8 * 1024 * 1024;

const BY_ID: KeysetSort = [['_id', 1]];

export function createSpanStore(database: Database): SpanStore {
  const rows = spanModel(database.connection);
  const payloads = rawPayloadModel(database.connection);

  /** The rows, which come by id, each with its content; no more is read than is asked for. */
  async function* withContents(found: readonly SpanRow[]): AsyncGenerator<[SpanRow, string | undefined]> {
    const ids = found.map(({ _id }) => _id);
    const contents = payloads.collection.find<Pick<RawPayload, '_id' | 'body'>>(
      { _id: { $in: ids as never[] } },
      { projection: { body: 1 }, sort: { _id: 1 } },
    );
    try {
      let next = await contents.next();
      for (const row of found) {
        const isItsOwn = next?._id === row._id;
        yield [row, isItsOwn ? next?.body : undefined];
        if (isItsOwn) next = await contents.next();
      }
    } finally {
      await contents.close();
    }
  }

  return {
    async write(rowDocuments, payloadDocuments) {
      // The content first: a row whose content is not there yet would be read as one whose content has expired.
      const parts = inParts(payloadDocuments, ({ body }) => body.length, MAX_WRITE_CHARACTERS);
      for (const part of parts) await insertNew(payloads.collection, part);
      await insertNew(rows.collection, rowDocuments);
    },
    async readPlaces(projectId, traceId, spanIds) {
      return await rows
        .find(
          { _id: { $in: spanIds.map((spanId) => spanKey(projectId, traceId, spanId)) } },
          { _id: 0, spanId: 1, parentSpanId: 1, conversationId: 1 },
        )
        .lean<SpanPlace[]>();
    },
    async readTrace(projectId, traceId, { limit, after, maxCharacters }) {
      const found = findInOrder(rows, BY_ID, {
        filter: { _id: traceRange(projectId, traceId) },
        limit,
        after: after?.map((spanId) => spanKey(projectId, traceId, String(spanId))),
      });
      const { items, next } = await takeSlice(withContents(await found.toArray()), {
        limit,
        keyOf: ([row]): CursorKey => [row.spanId],
        size: { max: maxCharacters, of: ([, body]) => body?.length ?? 0 },
      });
      const spans = items.map(([row, body]) =>
        storedSpan(row, body === undefined ? undefined : (JSON.parse(body) as SpanContent)),
      );
      return { items: spans, next };
    },
    async countSpans(projectId, traceId) {
      return await rows.countDocuments({ _id: traceRange(projectId, traceId) });
    },
  };
}
