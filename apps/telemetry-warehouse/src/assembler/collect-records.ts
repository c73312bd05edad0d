import { conversationOf } from '../assembly/conversation-of.ts';
import { conversationIdOf, type StoredSpan } from '../dialects/index.ts';
import type { StoredLog } from '../spans/span-documents.ts';
import type { SpanStore } from '../spans/spans.store.ts';

/** What belongs to one conversation. */
export interface ConversationRecords {
  spans: StoredSpan[];
  logs: StoredLog[];
  /** There is more than is read of one conversation. */
  truncated: boolean;
}

/** A conversation of more traces than this is assembled from the first of them. */
const MAX_TRACES = 5_000;
/** Of one conversation at most so many spans and log records are read. */
const MAX_RECORDS = 20_000;

/** Reads the spans and log records of a conversation from all its traces. */
export async function collectRecords(
  spans: SpanStore,
  projectId: string,
  conversationId: string,
  implicit: boolean,
): Promise<ConversationRecords> {
  const traceIds = implicit
    ? [conversationId]
    : await spans.tracesOfConversation(projectId, conversationId, MAX_TRACES + 1);
  const found = await spans.readTraces(projectId, traceIds.slice(0, MAX_TRACES), MAX_RECORDS);
  const belongs = createMembership(found.spans, conversationId);
  return {
    spans: found.spans.filter(({ traceId, spanId }) => belongs(traceId, spanId)),
    logs: found.logs.filter(({ traceId, spanId }) => belongs(traceId, spanId)),
    truncated: found.truncated || traceIds.length > MAX_TRACES,
  };
}

/** Tells whether a span is of the conversation; a record of a span that never came goes with the rest of its trace. */
function createMembership(spans: readonly StoredSpan[], conversationId: string) {
  const byTrace = Map.groupBy(spans, ({ traceId }) => traceId);
  const conversationBySpan = new Map<string, ReadonlyMap<string, string>>();
  const fallback = new Map<string, string>();
  for (const [traceId, ofTrace] of byTrace) {
    const named = ofTrace.map((span) => ({ ...span, conversationId: conversationIdOf(span.attributes) }));
    const found = conversationOf(named);
    conversationBySpan.set(traceId, found);
    fallback.set(traceId, earliest(named)?.conversationId ?? traceId);
  }
  return (traceId: string, spanId: string): boolean => {
    const found = conversationBySpan.get(traceId)?.get(spanId) ?? fallback.get(traceId) ?? traceId;
    return found === conversationId;
  };
}

function earliest<Span extends { startTimeUnixNano: string; conversationId: string | undefined }>(
  spans: readonly Span[],
): Span | undefined {
  return spans
    .filter(({ conversationId }) => conversationId !== undefined)
    .sort(
      (a, b) =>
        a.startTimeUnixNano.length - b.startTimeUnixNano.length || (a.startTimeUnixNano < b.startTimeUnixNano ? -1 : 1),
    )[0];
}
