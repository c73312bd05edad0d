import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Api } from '@clew/sdk';
import { ancestorsOf, buildTree, matchingRows, rowsOf, shownPages } from './span-tree.ts';

const span = (
  spanId: string,
  parentSpanId: string | null,
  start = 0,
  more: Partial<Api.TraceSpan> = {},
): Api.TraceSpan => ({
  ...{ spanId, parentSpanId, name: `span ${spanId}`, kind: 1, statusCode: 0, statusMessage: null, scopeName: null },
  startTimeUnixNano: String(1_700_000_000_000_000_000n + BigInt(start) * 1_000_000n),
  endTimeUnixNano: String(1_700_000_000_000_000_000n + BigInt(start + 5) * 1_000_000n),
  ...{ attributes: {}, events: [], ...more },
});
const shape = (spans: Api.TraceSpan[], folded: string[] = []) =>
  rowsOf(buildTree(spans), new Set(folded)).map(({ node, depth }) => `${'-'.repeat(depth)}${node.span.spanId}`);

describe('the tree of a trace', () => {
  it('has children below their parents, by their start, in whatever order they were read', () => {
    const spans = [span('c', 'a', 2), span('b', 'a', 1), span('d', 'c', 3), span('a', null)];
    expect(shape(spans)).toEqual(['a', '-b', '-c', '--d']);
    expect(shape(spans, ['c'])).toEqual(['a', '-b', '-c']);
  });

  it('counts time from the beginning of the trace', () => {
    const { roots, durationMs } = buildTree([span('a', null, 10), span('b', 'a', 12)]);
    expect(roots[0]).toMatchObject({ startMs: 0, durationMs: 5 });
    expect(roots[0]?.children[0]?.startMs).toBe(2);
    expect(durationMs).toBe(7);
  });

  it('shows spans whose parent has not been read, and circles, as roots', () => {
    const tree = buildTree([span('x', 'gone'), span('p', 'q', 1), span('q', 'p', 2), span('s', 's', 3)]);
    expect(tree.roots.map(({ span: { spanId }, isOrphan }) => [spanId, isOrphan])).toEqual([
      ['x', true],
      ['s', false],
      ['p', false],
    ]);
  });

  it('holds each span once, whatever the spans name as their parents', () => {
    const id = fc.constantFrom(...'abcdefgh');
    const spans = fc.array(
      fc.tuple(id, fc.option(id), fc.nat(9)).map(([own, parent, start]) => span(own, parent, start)),
    );
    fc.assert(
      fc.property(spans, (given) => {
        const rows = rowsOf(buildTree(given), new Set());
        const ids = rows.map(({ node }) => node.span.spanId);
        expect([...ids].sort()).toEqual([...new Set(given.map(({ spanId }) => spanId))].sort());
        rows.forEach(({ depth }, at) => expect(depth).toBeLessThanOrEqual((rows[at - 1]?.depth ?? -1) + 1));
      }),
    );
  });

  it('takes a chain of 30,000 spans, which no call for each level would', () => {
    const spans = Array.from({ length: 30_000 }, (_, at) => span(`s${at}`, at === 0 ? null : `s${at - 1}`, at));
    const rows = rowsOf(buildTree(spans), new Set());
    expect(rows.at(-1)).toMatchObject({ depth: 29_999 });
  });
});

it('finds spans by words of name and attributes, and those that failed', () => {
  const tree = buildTree([
    span('a', null, 0, { attributes: { 'gen_ai.tool.name': 'Refund' } }),
    span('b', 'a', 1, { statusCode: 2, statusMessage: 'timeout' }),
  ]);
  const found = (filter: Parameters<typeof matchingRows>[1]) =>
    matchingRows(tree, filter).map(({ node }) => node.span.spanId);
  expect(found({ q: 'refund' })).toEqual(['a']);
  expect(found({ only: 'errors' })).toEqual(['b']);
  expect(found({ q: 'span', only: 'errors' })).toEqual(['b']);
});

it('names the spans above one', () => {
  const tree = buildTree([span('a', null), span('b', 'a'), span('c', 'b')]);
  expect(ancestorsOf(tree, 'c')).toEqual(['b', 'a']);
  expect(ancestorsOf(buildTree([span('p', 'q'), span('q', 'p')]), 'p')).toEqual(['q']);
});

it('shows the first pages at once, further ones several at a time, and in the end all', () => {
  expect([0, 1, 5, 6, 9, 10].map((read) => shownPages(read, true))).toEqual([0, 1, 5, 5, 5, 10]);
  expect(shownPages(9, false)).toBe(9);
});
