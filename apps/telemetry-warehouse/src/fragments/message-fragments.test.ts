import { describe, expect, it } from '@jest/globals';
import type { LogRecord, SpanRecord } from '@clew/contracts';
import fc from 'fast-check';
import { chatSpan, plainSpan, PROJECT_ID, spanId, spansMessage, traceId, userLog } from '../test-support/spans.ts';
import { isBetterVersion, type FragmentContent, type FragmentFacts, type SpanFact } from './fragment.ts';
import { messageFragments, type NewFragment } from './message-fragments.ts';

function fragmentsOf(spans: readonly SpanRecord[], logs: readonly LogRecord[] = [], receivedAt = 1): NewFragment[] {
  const { groups } = spansMessage({ spans, logs }).data;
  return messageFragments(PROJECT_ID, { receivedAt, groups }).fragments;
}

const factsOf = ({ document }: NewFragment) => JSON.parse(document.facts) as FragmentFacts;
const contentOf = ({ content }: NewFragment) => JSON.parse(content) as FragmentContent;

const place = fc.record({
  trace: fc.integer({ min: 1, max: 3 }),
  span: fc.integer({ min: 1, max: 6 }),
  conversation: fc.constantFrom(undefined, 'a', 'b'),
  said: fc.constantFrom(undefined, 'hello', '🙂\ud800'),
});

const records = fc.array(place, { minLength: 1, maxLength: 12 }).map((places) =>
  places.map(({ conversation, said, ...where }) =>
    chatSpan({
      ...where,
      ...(conversation === undefined ? {} : { conversation }),
      ...(said === undefined ? {} : { said }),
    }),
  ),
);

describe('the fragments of a message', () => {
  it('are the same for the same records, in whatever order they came, and whenever', () => {
    fc.assert(
      fc.property(records, fc.nat(), (spans, by) => {
        const at = by % spans.length;
        const turned = [...spans.slice(at), ...spans.slice(0, at)];
        const named = (fragments: readonly NewFragment[]) =>
          fragments
            .map(({ document: { receivedAt: _, ...document }, content }) => ({ document, content }))
            .sort((left, right) => (left.document._id < right.document._id ? -1 : 1));
        expect(named(fragmentsOf(turned, [], 2))).toEqual(named(fragmentsOf(spans, [], 1)));
      }),
    );
  });

  it('hold every record that differs, once, with its content at the place of its facts', () => {
    fc.assert(
      fc.property(records, (spans) => {
        const found = fragmentsOf(spans).flatMap((fragment) =>
          factsOf(fragment).spans.map((fact, index) => ({
            spanId: fact.spanId,
            traceId: fragment.document.traceId,
            attributes: contentOf(fragment).spans[index]?.attributes,
          })),
        );
        const texts = (some: readonly object[]) => [...new Set(some.map((one) => JSON.stringify(one)))].sort();
        const sent = spans.map((span) => ({
          spanId: span.spanId,
          traceId: span.traceId,
          attributes: span.attributes,
        }));
        expect(found).toHaveLength(texts(sent).length);
        expect(texts(found)).toEqual(texts(sent));
      }),
    );
  });

  it('are other ones where anything else is said, be it by the resource', () => {
    const span = plainSpan({ trace: 1, span: 1 });
    const [group] = spansMessage({ spans: [span] }).data.groups;
    const idOf = (change: object) => {
      const groups = [{ ...group!, ...change }];
      return messageFragments(PROJECT_ID, { receivedAt: 1, groups }).fragments[0]!.document._id;
    };
    const changes = [
      {},
      { scopeName: 'other' },
      { resource: { 'service.name': 'x' } },
      { spans: [{ ...span, statusCode: 2 }] },
      { spans: [{ ...span, statusMessage: 'failed' }] },
      { spans: [{ ...span, events: [{ name: 'e', timeUnixNano: '1', attributes: {} }] }] },
    ];
    expect(new Set(changes.map(idOf)).size).toBe(changes.length);
  });

  it('name the conversations in the order of the spans that name them', () => {
    const spans = [
      chatSpan({ trace: 1, span: 1, atMs: 5_000, conversation: 'later' }),
      chatSpan({ trace: 1, span: 2, atMs: 1_000, conversation: 'earlier' }),
      chatSpan({ trace: 1, span: 3, atMs: 0 }),
    ];
    const [{ document }] = fragmentsOf(spans) as [NewFragment];
    expect(document.names).toEqual(['earlier', 'later']);
    expect(document.namedAt).toMatch(new RegExp(`^0\\d+:${spanId(2)}$`));
    expect(document).toMatchObject({ traceId: traceId(1), spanCount: 3, startedAt: 1_700_000_000_000 });
  });

  it('keep log records with their spans, each once', () => {
    const log = userLog({ trace: 1, span: 1, said: 'hello' });
    const [fragment] = fragmentsOf([plainSpan({ trace: 1, span: 1 })], [log, { ...log }]) as [NewFragment];
    expect(factsOf(fragment).logs).toEqual([expect.objectContaining({ spanId: spanId(1) })]);
    expect(contentOf(fragment).logs).toEqual([expect.objectContaining({ body: { content: 'hello' } })]);
  });

  it('are several where one document could not hold a trace', () => {
    const spans = [1, 2, 3].map((span) => plainSpan({ trace: 1, span, attributes: { blob: 'x'.repeat(3_000_000) } }));
    const fragments = fragmentsOf(spans);
    expect(fragments.map((fragment) => factsOf(fragment).spans.map((fact) => fact.spanId))).toEqual([
      [spanId(1)],
      [spanId(2)],
      [spanId(3)],
    ]);
  });
});

describe('of two versions of a span', () => {
  const fact = fc.record({
    end: fc.constantFrom('9', '10', '1000'),
    length: fc.integer({ min: 1, max: 3 }),
    digest: fc.constantFrom('a', 'b', 'c'),
  });

  it('one is better, unless they are the same, whatever the third is', () => {
    fc.assert(
      fc.property(fact, fact, fact, (one, two, three) => {
        const better = (left: object, right: object) => isBetterVersion(left as SpanFact, right as SpanFact);
        const isSame = JSON.stringify(one) === JSON.stringify(two);
        expect([better(one, two), better(two, one)].filter(Boolean)).toHaveLength(isSame ? 0 : 1);
        if (better(one, two) && better(two, three)) expect(better(one, three)).toBe(true);
      }),
    );
  });

  it('the one that ended later counts, and numbers are not compared as texts', () => {
    const version = (end: string) => ({ end, length: 1, digest: 'a' }) as SpanFact;
    expect(isBetterVersion(version('10'), version('9'))).toBe(true);
  });
});
