import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isSameCall, keeperOf, type CallRecord, type HeldRecord } from './call-identity.ts';

const SECOND_NS = 1_000_000_000n;

function record(fields: Partial<CallRecord> & { at?: readonly [number, number] } = {}): CallRecord {
  const { at = [0, 1], ...rest } = fields;
  const [startNs, endNs] = at.map((seconds) => BigInt(Math.round(seconds * 1_000)) * (SECOND_NS / 1_000n)) as [
    bigint,
    bigint,
  ];
  return {
    ...{ key: 'application', startNs, endNs, responseId: 'chatcmpl-1', models: ['tiny'] },
    ...{ question: 'hi', answer: 'hello', isFailed: false, isOwn: false, scopeName: 'one' },
    ...rest,
  };
}

const own = (fields: Parameters<typeof record>[0] = {}) =>
  record({ key: 'endpoint', isOwn: true, scopeName: 'endpoint', ...fields });

function same(left: CallRecord, right: CallRecord): boolean {
  const answer = isSameCall(left, right);
  expect(isSameCall(right, left)).toBe(answer);
  return answer;
}

describe('two records with one response id', () => {
  it('are one call, of two instrumentations or of an instrumentation and the endpoint', () => {
    expect(same(record(), record({ key: 'other', scopeName: 'two' }))).toBe(true);
    expect(same(record(), own())).toBe(true);
  });

  it.each([
    ['another model', { models: ['large'] }],
    ['another answer', { answer: 'goodbye' }],
    ['another question', { question: 'who?' }],
    ['another time', { at: [6.001, 7] as const }],
    ['another id', { responseId: 'chatcmpl-2' }],
  ])('are two with %s', (_what, fields) => {
    expect(same(record(), own(fields))).toBe(false);
    expect(same(record(), record({ key: 'other', ...fields }))).toBe(false);
  });

  it('are one up to five seconds apart', () => {
    expect(same(record({ at: [0, 1] }), own({ at: [6, 7] }))).toBe(true);
  });

  it('are two where one instrumentation recorded them one after the other', () => {
    expect(same(record({ at: [0, 1] }), record({ key: 'other', at: [1, 2] }))).toBe(false);
    expect(same(record({ at: [0, 1] }), record({ key: 'other', at: [0.5, 2] }))).toBe(true);
  });

  it('are one where one of them did not record the words, or the model', () => {
    expect(same(record({ question: undefined, answer: undefined, models: [] }), own())).toBe(true);
  });

  it('are one where one of them has another name of the model as well', () => {
    expect(same(record({ models: ['loop/tiny'] }), own({ models: ['tiny', 'loop/tiny'] }))).toBe(true);
  });

  it('are two where the endpoint made both: it records a call once', () => {
    expect(same(own(), own({ key: 'endpoint 2' }))).toBe(false);
  });
});

describe('a record without a response id', () => {
  const without = (fields: Parameters<typeof record>[0] = {}) => record({ responseId: undefined, ...fields });

  it('is of the call that the endpoint recorded meanwhile, asked and answered the same', () => {
    expect(same(without({ at: [0, 3] }), own({ at: [1, 2] }))).toBe(true);
    expect(same(without({ at: [0, 3], answer: 'goodbye' }), own({ at: [1, 2] }))).toBe(false);
    expect(same(without({ at: [0, 3], question: 'who?' }), own({ at: [1, 2] }))).toBe(false);
  });

  it('proves nothing where the words were not recorded', () => {
    expect(same(without({ question: undefined }), own())).toBe(false);
    expect(same(without({ answer: undefined }), own())).toBe(false);
  });

  it('is of no call that goes on before or after it', () => {
    expect(same(without({ at: [10, 11] }), own({ at: [0, 11] }))).toBe(false);
    expect(same(without({ at: [0, 1] }), own({ at: [0, 11] }))).toBe(false);
  });

  it('is not of another one of the application: these are joined within a conversation only', () => {
    expect(same(without(), without({ key: 'other' }))).toBe(false);
  });

  it('is of the call that failed at the endpoint as well', () => {
    const failed = { isFailed: true, answer: undefined };
    expect(same(without(failed), own({ responseId: undefined, ...failed }))).toBe(true);
    expect(same(without({ ...failed, question: 'who?' }), own({ responseId: undefined, ...failed }))).toBe(false);
  });

  it('is a try of the call, where it failed at the endpoint and was answered later', () => {
    const tried = own({ at: [1, 2], responseId: undefined, answer: undefined, isFailed: true });
    expect(same(record({ at: [0, 9] }), tried)).toBe(true);
    expect(same(record({ at: [0, 9] }), { ...tried, isFailed: false })).toBe(false);
  });
});

const held: fc.Arbitrary<HeldRecord> = fc.record({
  conversationId: fc.constantFrom('a', 'b', 'c'),
  isNamed: fc.boolean(),
  record: fc
    .record({ key: fc.string({ maxLength: 2 }), isOwn: fc.boolean(), start: fc.nat({ max: 2 }) })
    .map(({ key, isOwn, start }) => record({ key, isOwn, at: [start, start + 1] })),
});

describe('the conversation that keeps a call', () => {
  it('is the same for all who see the same records, in any order', () => {
    fc.assert(
      fc.property(fc.array(held, { minLength: 1, maxLength: 6 }), fc.nat(), (records, seed) => {
        const [first, ...others] = [...records.keys()]
          .sort((left, right) => ((left * 7 + seed) % 5) - ((right * 7 + seed) % 5))
          .map((index) => records[index] as HeldRecord);
        const [one, ...rest] = records;
        const [kept, keptToo] = [keeperOf([one as HeldRecord, ...rest]), keeperOf([first as HeldRecord, ...others])];
        expect(keptToo.conversationId).toBe(kept.conversationId);
      }),
    );
  });

  it('is the application’s before the endpoint’s, a named one before a trace, then the first', () => {
    const application: HeldRecord = { conversationId: 'trace', isNamed: false, record: record({ at: [5, 6] }) };
    const named: HeldRecord = { conversationId: 'chat', isNamed: true, record: record({ at: [6, 7] }) };
    const endpoint: HeldRecord = { conversationId: 'conv', isNamed: true, record: own({ at: [4, 5] }) };
    const early: HeldRecord = { conversationId: 'other', isNamed: false, record: record({ at: [4, 5] }) };
    expect(keeperOf([endpoint, application]).conversationId).toBe('trace');
    expect(keeperOf([application, named, endpoint]).conversationId).toBe('chat');
    expect(keeperOf([application, early]).conversationId).toBe('other');
  });
});

describe('5,000 unrelated calls that share 999 ids', () => {
  it('are 5,000 calls', () => {
    const calls = Array.from({ length: 5_000 }, (_, index) =>
      record({
        key: String(index),
        at: [(index * 37) % 60, ((index * 37) % 60) + 2],
        responseId: `chatcmpl-${index % 999}`,
        question: `question ${index}`,
        answer: index % 2 === 0 ? 'yes' : `answer ${index}`,
      }),
    );
    const pairs = [...Map.groupBy(calls, ({ responseId }) => responseId).values()].flatMap((together) =>
      together.flatMap((one, index) => together.slice(index + 1).filter((other) => isSameCall(one, other))),
    );
    expect(pairs).toEqual([]);
  });
});
