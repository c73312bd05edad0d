import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { StoredSpan } from '../dialects/index.ts';
import { repeatedAndShuffled } from './test-support/records.ts';
import { assembleConversation } from './assemble-conversation.ts';
import {
  assembled,
  assistant,
  call,
  calling,
  result,
  span,
  system,
  toolRun,
  unixNano,
  user,
} from './test-support/spans.ts';

const DOCUMENT = 'Refunds are paid within 14 days of the return of the goods.';
const LONG = `${DOCUMENT} ${'The goods must be unused. '.repeat(20)}`;
const originsOf = (...spans: StoredSpan[]) => assembled(...spans).messages.map(({ origin }) => origin);

/** Builds a span from second 1 to second 2 that is neither a model's nor a tool's. */
const lookup = (attributes: Record<string, unknown>, fields: Partial<Parameters<typeof span>[0]> = {}) =>
  span({ id: '2', at: [1, 2], attributes, ...fields });
const retriever = (...contents: string[]) =>
  lookup({
    'openinference.span.kind': 'RETRIEVER',
    ...Object.fromEntries(contents.map((text, index) => [`retrieval.documents.${index}.document.content`, text])),
  });
const asked = (...input: Parameters<typeof call>[0]['input'] & object) =>
  call({ id: '3', at: [3, 4], input, output: [assistant('Within 14 days')] });
const event = { name: 'db.query.result', timeUnixNano: unixNano(1), attributes: { 'db.query.result.document': LONG } };

describe('text that was looked up', () => {
  it.each([
    [
      'GenAI',
      lookup({ 'gen_ai.operation.name': 'retrieval', 'gen_ai.retrieval.documents': [{ id: 'a', content: LONG }] }),
    ],
    [
      'GenAI as JSON text',
      lookup({
        'gen_ai.operation.name': 'retrieval',
        'gen_ai.retrieval.documents': JSON.stringify([{ content: LONG }]),
      }),
    ],
    ['OpenInference', retriever('another document altogether', LONG)],
    [
      'OpenInference, ranked',
      lookup({ 'openinference.span.kind': 'RERANKER', 'reranker.output_documents.0.document.content': LONG }),
    ],
    ['OpenInference without documents', lookup({ 'openinference.span.kind': 'RETRIEVER', 'output.value': LONG })],
    ['Traceloop', lookup({ 'db.system': 'chroma' }, { events: [event] })],
    [
      'Langfuse',
      lookup({
        'langfuse.observation.type': 'retriever',
        'langfuse.observation.output': JSON.stringify([{ page_content: LONG, metadata: { page: 1 } }]),
      }),
    ],
    [
      'LangChain serialized',
      lookup({
        'langfuse.observation.type': 'retriever',
        'langfuse.observation.output': JSON.stringify({ documents: [{ lc: 1, kwargs: { page_content: LONG } }] }),
      }),
    ],
  ])('in the form of %s marks the message that holds it, and no other', (_, span) => {
    expect(originsOf(span, asked(system(`Answer from this:\n${LONG}`), user('When do I get my money?')))).toEqual([
      'retrieved',
      undefined,
      undefined,
    ]);
  });

  it.each([
    ['search of a memory', { 'gen_ai.operation.name': 'search_memory', 'gen_ai.memory.records': [{ content: LONG }] }],
    ['span that says so', { 'clew.origin': 'recalled', 'output.value': LONG }],
  ])('by a %s is recalled', (_, attributes) => {
    expect(originsOf(lookup(attributes), asked(user(`${LONG}\nWhen?`)))).toEqual(['recalled', undefined]);
  });

  it('is recalled where it was looked up as well', () => {
    const recall = lookup({ 'clew.origin': 'recalled', 'output.value': LONG }, { id: '7', at: [2, 3] });
    expect(originsOf(retriever(LONG), recall, asked(user(LONG)))[0]).toBe('recalled');
  });

  it('is known within JSON text, and where it was cut to size', () => {
    const quoted = `First "line"\n${LONG}`;
    expect(originsOf(retriever(quoted), asked(user(JSON.stringify({ quoted }))))[0]).toBe('retrieved');
    expect(originsOf(retriever(LONG), asked(user(`${LONG.slice(0, 250)}...`)))[0]).toBe('retrieved');
  });

  it('does not mark what was said before it was looked up, nor what a model says', () => {
    const before = call({ id: '1', at: [0, 0.5], input: [user(DOCUMENT)], output: [assistant(DOCUMENT)] });
    expect(originsOf(before, retriever(DOCUMENT))).toEqual([undefined, undefined]);
  });

  it('marks by a few words only the message that is nothing else', () => {
    expect(originsOf(retriever('14 days'), asked(user('14 days')))[0]).toBe('retrieved');
    expect(originsOf(retriever('14 days'), asked(user('In 14 days?')))[0]).toBeUndefined();
  });
});

describe('the result of a tool', () => {
  const asking = call({ id: '1', at: [0, 1], input: [user('When?')], output: [calling(['c1', 'find'])] });
  const run = (attributes: Record<string, unknown> = {}) =>
    toolRun({ id: '4', at: [1, 3], tool: 'find', callId: 'c1', response: 'In two weeks', attributes });
  const inside = (parent: string, attributes: Record<string, unknown>) =>
    span({ id: '5', parent, at: [1.5, 2], attributes });
  const retrieval = { 'gen_ai.operation.name': 'retrieval' };

  it.each([
    ['is not marked where nothing says that it was looked up', [run()], undefined],
    ['is retrieved where the tool stands for stored data', [run({ 'gen_ai.tool.type': 'datastore' })], 'retrieved'],
    ['is what the application says', [run({ 'clew.origin': 'recalled' })], 'recalled'],
    ['is retrieved where a retriever ran in it', [run(), inside('4', retrieval)], 'retrieved'],
    [
      'is recalled where a memory was searched in it',
      [run(), inside('4', { 'gen_ai.operation.name': 'search_memory' })],
      'recalled',
    ],
    [
      'is retrieved where a retriever ran in a tool in it',
      [
        run(),
        inside('4', { 'openinference.span.kind': 'TOOL', 'tool.name': 'vector' }),
        { ...inside('5', retrieval), spanId: '6'.padStart(16, '0') },
      ],
      'retrieved',
    ],
    [
      'is not marked where an agent in it looked something up',
      [
        run(),
        inside('4', { 'gen_ai.operation.name': 'invoke_agent' }),
        { ...inside('5', retrieval), spanId: '6'.padStart(16, '0') },
      ],
      undefined,
    ],
  ])('%s', (_, spans, expected) => {
    expect(originsOf(asking, ...spans)[2]).toBe(expected);
    const next = call({ id: '9', at: [5, 6], input: [result('c1', 'In two weeks')], output: [assistant('Soon')] });
    expect(originsOf(asking, ...spans, next)[2]).toBe(expected);
  });
});

it('origins do not depend on the order of records, nor on repeats', () => {
  const memory = lookup({ 'clew.origin': 'recalled', 'output.value': DOCUMENT }, { id: '8', at: [2, 3] });
  const spans = [
    retriever(LONG, DOCUMENT),
    memory,
    asked(system(LONG), user(DOCUMENT), user('When?')),
    toolRun({ id: '4', at: [1, 3], tool: 'find', response: DOCUMENT }),
    span({ id: '5', parent: '4', at: [1, 2], attributes: { 'gen_ai.operation.name': 'retrieval' } }),
  ];
  const expected = originsOf(...spans);
  expect(new Set(expected)).toEqual(new Set(['retrieved', 'recalled', undefined]));
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      const { messages } = assembleConversation(repeatedAndShuffled({ spans, logs: [] }, seed));
      expect(messages.map(({ origin }) => origin)).toEqual(expected);
    }),
  );
});
