import type { EnvelopeOf, LogRecord, spansReceived } from '@clew/contracts';
import { conversationTrace, logDocument, recordContext, spanDocuments, type RecordContext } from './span-documents.ts';
import type { ConversationTrace, RawPayload, SpanRow } from './span.model.ts';

type SpansReceivedData = EnvelopeOf<typeof spansReceived>['data'];

/** What a span says of the conversation it belongs to. */
export type SpanPlace = Pick<SpanRow, 'spanId' | 'parentSpanId' | 'conversationId'>;

/** What a message says of one trace. */
export interface TraceActivity {
  traceId: string;
  startedAt: number;
  lastActivityAt: number;
  /** Something of a model, a tool or an agent is in it. */
  listed: boolean;
  /** What came of it; a log record counts as one below its span. */
  spans: Map<string, SpanPlace>;
}

/** What a message holds, as it is stored. */
export interface MessageDocuments {
  rows: SpanRow[];
  payloads: RawPayload[];
  links: ConversationTrace[];
  activity: TraceActivity[];
}

export function messageDocuments(projectId: string, { groups, receivedAt }: SpansReceivedData): MessageDocuments {
  const collected = new Collected();
  for (const group of groups) {
    const context = recordContext(projectId, group, new Date(receivedAt));
    for (const span of group.spans) collected.addSpan(spanDocuments(context, span));
    for (const log of group.logs) collected.addLog(context, log);
  }
  return collected.documents();
}

class Collected {
  readonly #rows = new Map<string, SpanRow>();
  readonly #payloads = new Map<string, RawPayload>();
  readonly #links = new Map<string, ConversationTrace>();
  readonly #activity = new Map<string, TraceActivity>();

  addSpan({ row, payload }: { row: SpanRow; payload: RawPayload }): void {
    // The first of two versions stays, as it does where one is stored already.
    if (this.#rows.has(row._id)) return;
    this.#rows.set(row._id, row);
    this.#payloads.set(payload._id, payload);
    const { traceId, spanId, conversationId } = row;
    const activity = this.#note(traceId, msOf(row.startTimeUnixNano), msOf(row.endTimeUnixNano));
    activity.spans.set(spanId, row);
    activity.listed ||= row.workKind !== 'other';
    if (conversationId === undefined) return;
    const link = conversationTrace(row.projectId, row, conversationId);
    const known = this.#links.get(link._id);
    if (known === undefined || link.firstNamed < known.firstNamed) this.#links.set(link._id, link);
  }

  addLog(context: RecordContext, log: LogRecord): void {
    const payload = logDocument(context, log);
    this.#payloads.set(payload._id, payload);
    const activity = this.#note(log.traceId, msOf(log.timeUnixNano), msOf(log.timeUnixNano));
    activity.listed = true;
    activity.spans.set(payload._id, { spanId: payload._id, parentSpanId: log.spanId });
  }

  documents(): MessageDocuments {
    const [rows, payloads, links, activity] = [this.#rows, this.#payloads, this.#links, this.#activity];
    return {
      rows: [...rows.values()],
      payloads: [...payloads.values()],
      links: [...links.values()],
      activity: [...activity.values()],
    };
  }

  #note(traceId: string, startedAt: number, endedAt: number): TraceActivity {
    const lastActivityAt = Math.max(startedAt, endedAt);
    const known = this.#activity.get(traceId);
    if (known === undefined) {
      const noted: TraceActivity = { traceId, startedAt, lastActivityAt, listed: false, spans: new Map() };
      this.#activity.set(traceId, noted);
      return noted;
    }
    known.startedAt = Math.min(known.startedAt, startedAt);
    known.lastActivityAt = Math.max(known.lastActivityAt, lastActivityAt);
    return known;
  }
}

/** Nanoseconds as decimal text, in whole milliseconds. */
function msOf(unixNano: string): number {
  return Number(unixNano.slice(0, -6));
}
