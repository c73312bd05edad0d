import { ConversationFinder } from '@clew/conversation';
import type { LogFact, SpanFact } from '../fragments/index.ts';
import type { ErasedRecordsDocument } from './erasure.model.ts';

/** Place of a span in its trace, and the conversation that it names. */
export interface PlacedSpan extends Pick<SpanFact, 'spanId' | 'parentSpanId' | 'start'> {
  conversationId?: string | undefined;
}

/** Data about one trace. */
export interface TraceOfErased {
  traceId: string;
  /** Spans that are stored and spans that are arriving, in lists: a trace may have any number of them. */
  spans: AsyncIterable<readonly PlacedSpan[]>;
  /** Records of the trace that were erased before. */
  erased: AsyncIterable<ErasedRecordsDocument>;
  /** Names of the erased conversations. */
  names: ReadonlySet<string>;
}

/** Decides which records of a trace belong to erased conversations. */
export interface ErasedTest {
  isErasedSpan(fact: PlacedSpan): boolean;
  isErasedLog(fact: Pick<LogFact, 'spanId'>): boolean;
}

/** Stand-ins for all conversation names: only erased or not matters, and they take no memory. */
const [ERASED, OTHER] = ['erased', 'other'];

/**
 * Applies the rule that assigns spans to conversations: spans below an erased span are erased too, unless they, or a
 * span between, name another conversation.
 */
export async function erasedTest({ traceId, spans, erased, names }: TraceOfErased): Promise<ErasedTest> {
  const standInOf = (name: string) => (names.has(name) ? ERASED : OTHER);
  const finder = new ConversationFinder(standInOf(traceId));
  for await (const some of spans) {
    for (const span of some) {
      const { conversationId: name } = span;
      finder.add(name === undefined ? span : { ...span, conversationId: standInOf(name) });
    }
  }
  // Erased places come last: a span that has named a conversation since then belongs to that one.
  for await (const { places } of erased) {
    for (const place of places) finder.add({ ...place, conversationId: ERASED });
  }
  return {
    isErasedSpan: ({ spanId, conversationId }) =>
      (conversationId === undefined ? finder.of(spanId) : standInOf(conversationId)) === ERASED,
    isErasedLog: ({ spanId }) => finder.of(spanId) === ERASED,
  };
}
