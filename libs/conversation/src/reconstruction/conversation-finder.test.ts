import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ConversationFinder, type ConversationSpan } from './conversation-finder.ts';

const TRACE = 'trace';
const idOf = (name: string) => name.padStart(16, '0');

const sketch = (name: string, start: string, parent?: string, conversationId?: string): ConversationSpan => ({
  ...{ spanId: idOf(name), start, conversationId },
  parentSpanId: parent === undefined ? undefined : idOf(parent),
});

function finderOf(spans: readonly ConversationSpan[]): ConversationFinder {
  const finder = new ConversationFinder(TRACE);
  for (const span of spans) finder.add(span);
  return finder;
}

function found(...spans: ConversationSpan[]): Record<string, string> {
  const finder = finderOf(spans);
  return Object.fromEntries(spans.map(({ spanId }) => [spanId.replace(/^0+/, ''), finder.of(spanId)]));
}

/** Reference implementation by the definition, for one span at a time. */
function defined(spans: readonly ConversationSpan[], spanId: string): string {
  const named = spans.filter((span) => span.conversationId !== undefined);
  const [first] = named.toSorted((a, b) => Number(a.start) - Number(b.start) || (a.spanId < b.spanId ? -1 : 1));
  const seen = new Set<string>();
  let current: ConversationSpan | undefined = spans.find((span) => span.spanId === spanId);
  while (current !== undefined && !seen.has(current.spanId)) {
    if (current.conversationId !== undefined) return current.conversationId;
    seen.add(current.spanId);
    const parent: string | undefined = current.parentSpanId;
    current = spans.find((span) => span.spanId === parent);
  }
  return first?.conversationId ?? TRACE;
}

describe('the conversation of a span', () => {
  it('is the one that it names, else that of its nearest ancestor', () => {
    const spans = [
      sketch('a', '1', undefined, 'outer'),
      sketch('b', '2', 'a'),
      sketch('c', '3', 'b', 'inner'),
      sketch('d', '4', 'c'),
    ];
    expect(found(...spans)).toEqual({ a: 'outer', b: 'outer', c: 'inner', d: 'inner' });
  });

  it('is else the first that the trace names, by time, then by span id', () => {
    const spans = [
      sketch('a', '1'),
      sketch('d', '20', 'a', 'late'),
      sketch('c', '9', 'a', 'second'),
      sketch('b', '9', 'a', 'first'),
    ];
    expect(found(...spans).a).toBe('first');
    expect(finderOf(spans).of(idOf('e'))).toBe('first');
  });

  it('is else the trace', () => {
    expect(found(sketch('a', '1'), sketch('b', '2', 'c'))).toEqual({ a: 'trace', b: 'trace' });
  });

  it('is found where parents run in a circle', () => {
    expect(found(sketch('a', '1', 'b'), sketch('b', '2', 'a'), sketch('c', '3', 'c', 'named'))).toEqual({
      a: 'named',
      b: 'named',
      c: 'named',
    });
  });

  it('follows from the definition, in any order, with repeats, and for what is asked before the rest has come', () => {
    const id = fc.integer({ min: 1, max: 12 }).map((number) => idOf(number.toString(16)));
    const spans = fc.uniqueArray(
      fc.record({
        spanId: id,
        parentSpanId: fc.option(id, { nil: undefined }),
        start: fc.constantFrom('1', '2', '10'),
        conversationId: fc.option(fc.constantFrom('x', 'y'), { nil: undefined }),
      }),
      { selector: ({ spanId }) => spanId, maxLength: 12 },
    );
    fc.assert(
      fc.property(spans, fc.nat({ max: 12 }), (given, some) => {
        const finder = finderOf(given.slice(0, some));
        for (const { spanId } of given) expect(finder.of(spanId)).toBe(defined(given.slice(0, some), spanId));
        for (const span of [...given, ...given].reverse()) finder.add(span);
        for (const { spanId } of given) {
          expect([finder.has(spanId), finder.of(spanId)]).toEqual([true, defined(given, spanId)]);
        }
        const isThere = new Set(given.map(({ spanId }) => spanId));
        const missing = given.flatMap(({ parentSpanId = '' }) => (isThere.has(parentSpanId) ? [] : [parentSpanId]));
        expect(missing.some((spanId) => finder.has(spanId))).toBe(false);
        expect(finder.hasSeveral).toBe(new Set(given.flatMap((span) => span.conversationId ?? [])).size > 1);
      }),
      { numRuns: 2_000 },
    );
  });
});
