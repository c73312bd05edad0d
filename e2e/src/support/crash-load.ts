import { encodeConversation, type EncodedSpan } from '@clew/testing';
import { cleanConversation, failingToolConversation } from './conversations.ts';
import { inAnyOrder, seededRandom } from './seeded-random.ts';

const SPANS_PER_REQUEST = 10;

/** Spans of conversations in shuffled order; every second conversation has a failing tool. */
export function manySpans(wanted: number) {
  const spans: EncodedSpan[] = [];
  const startMs = Date.now() - 3_600_000;
  let failingCount = 0;
  let conversationCount = 0;
  while (spans.length < wanted) {
    const id = `crash-${conversationCount}`;
    const failing = conversationCount % 2 === 0;
    const script = failing ? failingToolConversation(id) : cleanConversation(id);
    spans.push(...encodeConversation(script, { dialect: 'genai', startMs, idSeed: id }).spans);
    failingCount += failing ? 1 : 0;
    conversationCount += 1;
  }
  return { spans: shuffled(spans), failingCount, conversationCount };
}

/** Fixed permutation, so that a failure can be repeated. */
function shuffled<Item>(items: readonly Item[]): Item[] {
  return inAnyOrder(items, seededRandom(12_345));
}

/** Splits spans into batches of the size of one request. */
export function inBatches(spans: readonly EncodedSpan[]): EncodedSpan[][] {
  const count = Math.ceil(spans.length / SPANS_PER_REQUEST);
  return Array.from({ length: count }, (_, index) =>
    spans.slice(index * SPANS_PER_REQUEST, (index + 1) * SPANS_PER_REQUEST),
  );
}

/** Splits items into `count` parts of about equal size. */
export function partition<Item>(items: readonly Item[], count: number): Item[][] {
  return Array.from({ length: count }, (_, part) => items.filter((_item, index) => index % count === part));
}
