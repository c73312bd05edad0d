import { ConversationFinder } from '@clew/conversation';
import type { LogFact, SpanFact } from '../fragments/index.ts';
import type { ErasedRecordsDocument } from './erasure.model.ts';

/** Where a span stands in its trace, and what conversation it names. */
export interface PlacedSpan extends Pick<SpanFact, 'spanId' | 'parentSpanId' | 'start'> {
  conversationId?: string | undefined;
}

/** What is known of one trace. */
export interface TraceOfErased {
  traceId: string;
  /** Those that are stored, and those that come, some at a time: a trace may have any number of them. */
  spans: AsyncIterable<readonly PlacedSpan[]>;
  /** What was erased of it before. */
  erased: AsyncIterable<ErasedRecordsDocument>;
  /** The conversations that are erased. */
  names: ReadonlySet<string>;
}

/** Tells which records of a trace belong to what is erased. */
export interface ErasedTest {
  isErasedSpan(fact: PlacedSpan): boolean;
  isErasedLog(fact: Pick<LogFact, 'spanId'>): boolean;
}

/** Stand for whatever conversations there are: which one it is makes no difference, and takes no room. */
const [ERASED, OTHER] = ['erased', 'other'];

/**
 * By the same rule as conversations are made of spans: what is below an erased span goes with it, unless something
 * between them, or itself, names another conversation.
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
  // Last: what names a conversation since then belongs to that.
  for await (const { places } of erased) {
    for (const place of places) finder.add({ ...place, conversationId: ERASED });
  }
  return {
    isErasedSpan: ({ spanId, conversationId }) =>
      (conversationId === undefined ? finder.of(spanId) : standInOf(conversationId)) === ERASED,
    isErasedLog: ({ spanId }) => finder.of(spanId) === ERASED,
  };
}
