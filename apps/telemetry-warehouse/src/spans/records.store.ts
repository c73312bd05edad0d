import type { Database } from '@clew/persistence';
import { rawPayloadModel, spanModel, type RawPayload, type SpanRow } from './span.model.ts';
import { spanKey, traceRange } from './span-documents.ts';

/** What assembling needs of a span beside its content. */
export type RecordRow = Omit<SpanRow, '_id' | 'projectId' | 'receivedAt'>;

/** The name of a content within its trace: the span id, with `:<digest>` behind it for a log record. */
export type ContentName = string;

export interface TraceName {
  traceId: string;
  name: ContentName;
}

/** Reads what conversations are assembled from, in bounded pieces. */
export interface RecordStore {
  /** The spans of traces, by trace and span id. */
  readRows(projectId: string, traceIds: readonly string[], limit: number): Promise<RecordRow[]>;
  readRowsById(projectId: string, traceId: string, spanIds: readonly string[]): Promise<RecordRow[]>;
  /** Which contents there are, by trace and name; read from the index alone. */
  readContentNames(projectId: string, traceIds: readonly string[], limit: number): Promise<TraceName[]>;
  /** Contents one by one, so that the reader can stop; those that are gone are left out. */
  readContents(projectId: string, names: readonly TraceName[]): AsyncIterable<Content>;
}

export type Content = TraceName & Pick<RawPayload, 'kind' | 'body'>;

const ROW = { _id: 0, projectId: 0, receivedAt: 0 } as const;
const CONTENTS_OF_ONE_QUERY = 200;

export function createRecordStore(database: Database): RecordStore {
  const rows = spanModel(database.connection).collection;
  const payloads = rawPayloadModel(database.connection).collection;

  async function* readPart(projectId: string, names: readonly TraceName[]): AsyncGenerator<Content> {
    const ids = names.map(({ traceId, name }) => spanKey(projectId, traceId, name));
    const found = payloads.find<Pick<RawPayload, '_id' | 'kind' | 'body'>>(
      { _id: { $in: ids as never[] } },
      { projection: { kind: 1, body: 1 }, sort: { _id: 1 } },
    );
    for await (const { _id, kind, body } of found) yield { ...splitId(projectId, _id), kind, body };
  }

  return {
    async readRows(projectId, traceIds, limit) {
      return await rows
        .find<RecordRow>(inTraces(projectId, traceIds), { projection: ROW, sort: { _id: 1 }, limit })
        .toArray();
    },
    async readRowsById(projectId, traceId, spanIds) {
      const ids = spanIds.map((spanId) => spanKey(projectId, traceId, spanId));
      return await rows
        .find<RecordRow>({ _id: { $in: ids as never[] } }, { projection: ROW, sort: { _id: 1 } })
        .toArray();
    },
    async readContentNames(projectId, traceIds, limit) {
      const found = await payloads
        .find<{ _id: string }>(inTraces(projectId, traceIds), { projection: { _id: 1 }, sort: { _id: 1 }, limit })
        .toArray();
      return found.map(({ _id }) => splitId(projectId, _id));
    },
    async *readContents(projectId, names) {
      for (let start = 0; start < names.length; start += CONTENTS_OF_ONE_QUERY) {
        yield* readPart(projectId, names.slice(start, start + CONTENTS_OF_ONE_QUERY));
      }
    },
  };
}

function inTraces(projectId: string, traceIds: readonly string[]) {
  return { $or: traceIds.map((traceId) => ({ _id: traceRange(projectId, traceId) as never })) };
}

const TRACE_ID_LENGTH = 32;

function splitId(projectId: string, id: string): TraceName {
  const traceStart = projectId.length + 1;
  const traceEnd = traceStart + TRACE_ID_LENGTH;
  return { traceId: id.slice(traceStart, traceEnd), name: id.slice(traceEnd + 1) };
}
