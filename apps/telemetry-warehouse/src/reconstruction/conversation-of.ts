import { byStart, nanos } from './span-index.ts';

/** What the choice of a conversation needs to know of a span. */
export interface ConversationSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string | undefined;
  startTimeUnixNano: string;
  /** The conversation that the span itself names (`spanFacts`). */
  conversationId?: string | undefined;
}

/**
 * The conversation of each span of one trace, by span id: the one that the span names, else the one that its nearest
 * ancestor names, else the first that any span of the trace names (by start time, then span id), else the trace id.
 * The answer does not depend on the order of the spans, nor on repeats of the same span.
 */
export function conversationOf(spans: readonly ConversationSpan[]): Map<string, string> {
  const byId = new Map<string, ConversationSpan>();
  for (const span of spans) if (byId.get(span.spanId)?.conversationId === undefined) byId.set(span.spanId, span);
  const first = earliestNamed([...byId.values()]);
  const found = new Map<string, string>();
  for (const span of byId.values()) resolve(span, byId, first ?? span.traceId, found);
  return found;
}

function earliestNamed(spans: readonly ConversationSpan[]): string | undefined {
  const named = spans.filter((span) => span.conversationId !== undefined);
  const order = named.map((span) => ({ span, key: span.spanId, startNs: nanos(span.startTimeUnixNano) }));
  return order.sort(byStart)[0]?.span.conversationId;
}

/** Walks up to the first ancestor with an answer, then gives it to all spans on the way, so that the whole is linear. */
function resolve(
  span: ConversationSpan,
  byId: ReadonlyMap<string, ConversationSpan>,
  fallback: string,
  found: Map<string, string>,
): void {
  const path: string[] = [];
  const seen = new Set<string>();
  let current: ConversationSpan | undefined = span;
  let answer: string | undefined;
  while (answer === undefined && current !== undefined && !seen.has(current.spanId)) {
    seen.add(current.spanId);
    path.push(current.spanId);
    answer = found.get(current.spanId) ?? current.conversationId;
    current = current.parentSpanId === undefined ? undefined : byId.get(current.parentSpanId);
  }
  for (const id of path) found.set(id, answer ?? fallback);
}
