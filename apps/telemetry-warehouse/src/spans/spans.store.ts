import type { Database } from '@clew/persistence';
import type { StoredSpan } from '../dialects/index.ts';
import {
  conversationTraceModel,
  rawPayloadModel,
  spanModel,
  type ConversationTrace,
  type RawPayload,
  type SpanRow,
} from './span.model.ts';
import { storedSpan, traceRange, type StoredLog } from './span-documents.ts';

/** The spans and log records of some traces. */
export interface TraceRecords {
  spans: StoredSpan[];
  logs: StoredLog[];
  /** The bound was reached: there are more. */
  truncated: boolean;
}

export interface SpanStore {
  /** Stores each document once; one that is there already stays as it is. */
  write(rows: readonly SpanRow[], payloads: readonly RawPayload[]): Promise<void>;
  writeConversationTraces(traces: readonly ConversationTrace[]): Promise<void>;
  /** The conversations that spans of these traces name. */
  conversationsOfTraces(projectId: string, traceIds: readonly string[]): Promise<ConversationTrace[]>;
  tracesOfConversation(projectId: string, conversationId: string, limit: number): Promise<string[]>;
  readTraces(projectId: string, traceIds: readonly string[], maxRecords: number): Promise<TraceRecords>;
  /** One page of a trace, by span id. */
  readTracePage(
    projectId: string,
    traceId: string,
    page: { limit: number; afterId?: string | undefined },
  ): Promise<{ row: SpanRow; span: StoredSpan }[]>;
  countSpans(projectId: string, traceId: string): Promise<number>;
}

export function createSpanStore(database: Database): SpanStore {
  const rows = spanModel(database.connection);
  const payloads = rawPayloadModel(database.connection);
  const conversationTraces = conversationTraceModel(database.connection);

  async function payloadsOf(ids: readonly string[]): Promise<Map<string, RawPayload>> {
    const found = await payloads.find({ _id: { $in: ids } }).lean<RawPayload[]>();
    return new Map(found.map((payload) => [payload._id, payload]));
  }

  return {
    async write(rowDocuments, payloadDocuments) {
      // The content first: a row whose content is not there yet would be read as one whose content has expired.
      await insertNew(payloads.collection, payloadDocuments);
      await insertNew(rows.collection, rowDocuments);
    },
    async writeConversationTraces(traces) {
      await insertNew(conversationTraces.collection, traces);
    },
    async conversationsOfTraces(projectId, traceIds) {
      return await conversationTraces.find({ projectId, traceId: { $in: traceIds } }).lean<ConversationTrace[]>();
    },
    async tracesOfConversation(projectId, conversationId, limit) {
      const found = await conversationTraces
        .find({ projectId, conversationId }, { traceId: 1 })
        .sort({ traceId: 1 })
        .limit(limit)
        .lean<Pick<ConversationTrace, 'traceId'>[]>();
      return found.map(({ traceId }) => traceId);
    },
    async readTraces(projectId, traceIds, maxRecords) {
      const records: TraceRecords = { spans: [], logs: [], truncated: false };
      for (const traceId of traceIds) {
        const room = maxRecords - records.spans.length - records.logs.length;
        const range = { _id: traceRange(projectId, traceId) };
        const [foundRows, foundPayloads] = await Promise.all([
          rows
            .find(range)
            .sort({ _id: 1 })
            .limit(room + 1)
            .lean<SpanRow[]>(),
          payloads
            .find(range)
            .sort({ _id: 1 })
            .limit(2 * room + 1)
            .lean<RawPayload[]>(),
        ]);
        if (foundRows.length > room) records.truncated = true;
        const byId = new Map(foundPayloads.map((payload) => [payload._id, payload]));
        for (const row of foundRows.slice(0, room)) records.spans.push(storedSpan(row, byId.get(row._id)));
        for (const { kind, body } of foundPayloads) {
          if (kind === 'log') records.logs.push(JSON.parse(body) as StoredLog);
        }
        if (records.truncated) break;
      }
      return records;
    },
    async readTracePage(projectId, traceId, { limit, afterId }) {
      const range = traceRange(projectId, traceId);
      const found = await rows
        .find({ _id: { ...range, $gt: afterId ?? range.$gt } })
        .sort({ _id: 1 })
        .limit(limit)
        .lean<SpanRow[]>();
      const contents = await payloadsOf(found.map(({ _id }) => _id));
      return found.map((row) => ({ row, span: storedSpan(row, contents.get(row._id)) }));
    },
    async countSpans(projectId, traceId) {
      return await rows.countDocuments({ _id: traceRange(projectId, traceId) });
    },
  };
}

const DUPLICATE_KEY = 11000;

interface InsertableCollection {
  insertMany(documents: never[], options: { ordered: false }): Promise<unknown>;
}

/** Inserts what is not there yet. Inserting and passing over duplicates costs half of what upserting does. */
async function insertNew(collection: unknown, documents: readonly object[]): Promise<void> {
  if (documents.length === 0) return;
  try {
    await (collection as InsertableCollection).insertMany([...documents] as never[], { ordered: false });
  } catch (error) {
    if (!isOnlyDuplicates(error)) throw error;
  }
}

function isOnlyDuplicates(error: unknown): boolean {
  const { writeErrors, result } = (error ?? {}) as {
    writeErrors?: { code?: number }[] | { code?: number };
    result?: { getWriteConcernError?(): unknown };
  };
  if (writeErrors === undefined || result?.getWriteConcernError?.() !== undefined) return false;
  const all = Array.isArray(writeErrors) ? writeErrors : [writeErrors];
  return all.length > 0 && all.every(({ code }) => code === DUPLICATE_KEY);
}
