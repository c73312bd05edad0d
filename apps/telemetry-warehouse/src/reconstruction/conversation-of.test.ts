import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { conversationOf, type ConversationSpan } from './conversation-of.ts';

const sketch = (
  spanId: string,
  startTimeUnixNano: string,
  parentSpanId?: string,
  conversationId?: string,
): ConversationSpan => ({ traceId: 'trace', spanId, startTimeUnixNano, parentSpanId, conversationId });
const found = (...spans: ConversationSpan[]) => Object.fromEntries(conversationOf(spans));

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
  });

  it('is else the trace', () => {
    expect(found(sketch('a', '1'), sketch('b', '2', 'missing'))).toEqual({ a: 'trace', b: 'trace' });
  });

  it('is found where parents run in a circle', () => {
    expect(found(sketch('a', '1', 'b'), sketch('b', '2', 'a'), sketch('c', '3', 'c', 'named'))).toEqual({
      a: 'named',
      b: 'named',
      c: 'named',
    });
  });

  it('does not depend on the order of the spans or on repeats', () => {
    const id = fc.constantFrom('a', 'b', 'c', 'd', 'e');
    const spans = fc.uniqueArray(
      fc.record({
        traceId: fc.constant('trace'),
        spanId: id,
        parentSpanId: fc.option(id, { nil: undefined }),
        startTimeUnixNano: fc.constantFrom('1', '2', '10'),
        conversationId: fc.option(fc.constantFrom('x', 'y'), { nil: undefined }),
      }),
      { selector: ({ spanId }) => spanId, maxLength: 5 },
    );
    fc.assert(
      fc.property(spans, (given) => {
        const inOrder = Object.fromEntries(conversationOf(given));
        expect(Object.fromEntries(conversationOf([...given, ...given].reverse()))).toEqual(inOrder);
      }),
    );
  });
});
