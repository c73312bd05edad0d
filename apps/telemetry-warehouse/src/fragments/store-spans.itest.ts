import { beforeEach, describe, expect, it } from '@jest/globals';
import type { SpanRecord } from '@clew/contracts';
import { nativeDb } from '@clew/persistence';
import { useTestEnvironment } from '@clew/testing';
import { chatSpan, groupsMessage, plainSpan, spansMessage, traceId, userLog } from '../test-support/spans.ts';
import { emptyDatabase, useTestDatabase } from '../test-support/database.ts';
import { createTestStores, type TestStores } from '../test-support/stores.ts';

const database = useTestDatabase(useTestEnvironment());
let warehouse: TestStores;

beforeEach(() => {
  warehouse = createTestStores(database.current);
});

function asked(content: string): string {
  return JSON.stringify([{ role: 'user', parts: [{ type: 'text', content }] }]);
}

const count = (collection: string) => nativeDb(database.current.connection).collection(collection).countDocuments();

describe('storing a message', () => {
  it('keeps each span and log record once, however often it comes', async () => {
    const message = spansMessage({
      spans: [chatSpan({ trace: 1, span: 1, conversation: 'c' }), plainSpan({ trace: 1, span: 2, parent: 1 })],
      logs: [userLog({ trace: 1, span: 1, said: 'hello' })],
    });
    await warehouse.store(message, message, spansMessage({ spans: message.data.groups[0]!.spans }));
    expect([await count('trace_fragments'), await count('fragment_contents')]).toEqual([2, 2]);
    await warehouse.settleAll();
    expect(await warehouse.said('c')).toEqual(['hello']);
    expect(await warehouse.conversation('c')).toMatchObject({ spanCount: 2 });
  });

  it('keeps the better of two versions of a span, wherever it comes', async () => {
    const early = chatSpan({ trace: 1, span: 1, conversation: 'c', said: 'first words' });
    const late = { ...early, endTimeUnixNano: `${BigInt(early.endTimeUnixNano) + 1n}` };
    const better = { ...late, attributes: { ...late.attributes, 'gen_ai.input.messages': asked('second') } };
    for (const order of [[[early, better]], [[better, early]], [[better], [early]], [[early], [better]]]) {
      await emptyDatabase(database.current);
      for (const spans of order) await warehouse.store(spansMessage({ spans }));
      await warehouse.settleAll();
      expect(await warehouse.said('c')).toEqual(['second']);
    }
  });

  it('does not take the spans of one project for those of another', async () => {
    const other = `prj_${'9'.repeat(26)}`;
    const span = chatSpan({ trace: 1, span: 1, conversation: 'c', said: 'mine' });
    const theirs = chatSpan({ trace: 1, span: 1, conversation: 'c', said: 'theirs' });
    await warehouse.store(spansMessage({ spans: [span] }), spansMessage({ spans: [theirs] }, other));
    await warehouse.settleAll();
    expect(await warehouse.said('c')).toEqual(['mine']);
    expect((await warehouse.conversation('c', other)).preview).toBe('theirs');
  });

  it('marks a conversation as changed once for all that comes of it together', async () => {
    const spans = [1, 2, 3].map((span) => chatSpan({ trace: span, span, conversation: 'c' }));
    await warehouse.store(spansMessage({ spans }));
    expect(await warehouse.conversation('c')).toMatchObject({ touches: 1, assembledTouches: 0, implicit: false });
  });

  it('leaves out a resource that would be repeated with each span beyond measure', async () => {
    const resource = { blob: 'x'.repeat(1_000_000) };
    const spans = Array.from({ length: 50 }, (_, index) => plainSpan({ trace: 1, span: index + 1 }));
    await warehouse.writer.store(groupsMessage([{ resource, scopeName: '', spans, logs: [] }]));
    const { size } = (await nativeDb(database.current.connection).command({ collStats: 'fragment_contents' })) as {
      size: number;
    };
    expect(await count('fragment_contents')).toBe(1);
    expect(size).toBeLessThan(1_000_000);
  });

  it('stores a conversation under the name that it is found by, also where UTF-8 cannot hold it', async () => {
    await warehouse.store(
      spansMessage({ spans: [chatSpan({ trace: 1, span: 1, conversation: 'a\ud800', said: 'hi' })] }),
    );
    await warehouse.settleAll();
    expect(await warehouse.said('a\ufffd')).toEqual(['hi']);
  });
});

describe('a trace that no span names a conversation of', () => {
  it('is a conversation of its own', async () => {
    await warehouse.store(spansMessage({ spans: [chatSpan({ trace: 7, span: 1, said: 'hello' })] }));
    await warehouse.settleAll();
    expect(await warehouse.conversation(traceId(7))).toMatchObject({ implicit: true, listed: true, messageCount: 1 });
  });

  it('is no conversation where nothing of a model, a tool or an agent is in it', async () => {
    await warehouse.store(spansMessage({ spans: [plainSpan({ trace: 7, span: 1 })] }));
    await warehouse.settleAll();
    expect(await warehouse.conversation(traceId(7))).toMatchObject({ listed: false, snapshotId: null, dueAt: null });
    expect(await warehouse.announced()).toEqual([]);
  });

  it('hands over to the conversation that a later span names, whoever stores what first', async () => {
    const unnamed = spansMessage({ spans: [chatSpan({ trace: 7, span: 2, parent: 1, said: 'hello' })] });
    const named = spansMessage({ spans: [plainSpan({ trace: 7, span: 1, attributes: { 'session.id': 'c' } })] });
    const otherProcess = createTestStores(database.current, warehouse.clock);
    await Promise.all([warehouse.store(unnamed), otherProcess.store(named)]);
    await warehouse.settleAll();
    expect(await warehouse.said('c')).toEqual(['hello']);
    expect(await warehouse.announced(traceId(7))).toEqual([]);
    expect((await warehouse.announced('c')).length).toBe(1);
  });

  it('ends with an empty snapshot that is announced, where it had been announced before it handed over', async () => {
    await warehouse.store(spansMessage({ spans: [chatSpan({ trace: 7, span: 2, parent: 1, said: 'hello' })] }));
    await warehouse.settleAll();
    await warehouse.store(spansMessage({ spans: [chatSpan({ trace: 7, span: 1, conversation: 'c' })] }));
    await warehouse.settleAll();
    const [first, last, ...more] = await warehouse.announced(traceId(7));
    expect(more).toEqual([]);
    expect([first!.messageCount, last!.messageCount]).toEqual([1, 0]);
    expect(last!.revision).toBeGreaterThan(first!.revision);
    expect(await warehouse.said(traceId(7))).toEqual([]);
    expect(await warehouse.said('c')).toEqual(['hello']);
    expect(await warehouse.conversation(traceId(7))).toMatchObject({ listed: false, implicit: false, dueAt: null });
  });

  it('is not looked at again with each span of the conversation that it handed over to', async () => {
    await warehouse.store(spansMessage({ spans: [chatSpan({ trace: 7, span: 2, said: 'hello' })] }));
    await warehouse.settleAll();
    await warehouse.store(spansMessage({ spans: [chatSpan({ trace: 7, span: 1, conversation: 'c' })] }));
    await warehouse.settleAll();
    const { touches } = await warehouse.conversation(traceId(7));
    await warehouse.store(spansMessage({ spans: [chatSpan({ trace: 7, span: 3, conversation: 'c' })] }));
    await createTestStores(database.current, warehouse.clock).store(
      spansMessage({ spans: [chatSpan({ trace: 7, span: 4, conversation: 'c' })] }),
    );
    expect((await warehouse.conversation(traceId(7))).touches).toBe(touches);
  });
});

describe('a message that could not be stored whole', () => {
  it.each([
    ['fragments', 'write'],
    ['places', 'namesOf'],
    ['conversations', 'touch'],
  ])('is stored whole when it comes again to the same process (%s.%s failed)', async (store, method) => {
    let failures = 0;
    const fail = (): Promise<never> => {
      failures += 1;
      return Promise.reject(new Error('the database is away'));
    };
    const failsOnce = createTestStores(database.current, warehouse.clock, {
      wrap: (name, one) =>
        new Proxy(one, {
          get: (target, property, receiver) =>
            name === store && property === method && failures === 0 ? fail : Reflect.get(target, property, receiver),
        }),
    });
    await warehouse.store(spansMessage({ spans: [chatSpan({ trace: 7, span: 2, said: 'hello' })] }));
    await warehouse.settleAll();
    const message = spansMessage({ spans: [chatSpan({ trace: 7, span: 1, conversation: 'c', answered: 'hi' })] });
    await expect(failsOnce.store(message)).rejects.toThrow('away');
    await failsOnce.store(message);
    await warehouse.settleAll();
    expect(await warehouse.said('c')).toEqual(['hi', 'hello']);
    expect(await warehouse.said(traceId(7))).toEqual([]);
  });
});

describe('a trace that was removed', () => {
  it('is stored whole when it comes again to a process that knew it', async () => {
    const message = spansMessage({ spans: [chatSpan({ trace: 1, span: 1, conversation: 'c', said: 'hello' })] });
    await warehouse.store(message);
    await emptyDatabase(database.current);
    await warehouse.store(message);
    await warehouse.settleAll();
    expect(await warehouse.said('c')).toEqual(['hello']);
  });
});

describe('log records', () => {
  const span = () => chatSpan({ trace: 1, span: 1, conversation: 'c', answered: 'hi' });
  const log = () => userLog({ trace: 1, span: 1, said: 'hello' });

  it.each([
    ['before their span', [{ logs: [log()] }, { spans: [span()] }]],
    ['after their span', [{ spans: [span()] }, { logs: [log()] }]],
    ['with their span', [{ spans: [span()], logs: [log()] }]],
  ])('that come %s are part of its conversation', async (_when, parts) => {
    await warehouse.store(...parts.map((part) => spansMessage(part)));
    await warehouse.settleAll();
    expect(await warehouse.said('c')).toEqual(['hello', 'hi']);
    expect((await warehouse.announced()).map(({ conversationId }) => conversationId)).toEqual(['c']);
  });

  it('that were announced without their span move to its conversation when it comes', async () => {
    await warehouse.store(spansMessage({ logs: [log()] }));
    await warehouse.settleAll();
    expect(await warehouse.said(traceId(1))).toEqual(['hello']);
    await warehouse.store(spansMessage({ spans: [span()] }));
    await warehouse.settleAll();
    expect(await warehouse.said(traceId(1))).toEqual([]);
    expect(await warehouse.said('c')).toEqual(['hello', 'hi']);
  });

  it('of a span that never comes go with the conversation that their trace names first', async () => {
    await warehouse.store(
      spansMessage({ spans: [chatSpan({ trace: 1, span: 2, conversation: 'later' })] }),
      spansMessage({ spans: [chatSpan({ trace: 1, span: 1, conversation: 'earlier' })] }),
      spansMessage({ logs: [userLog({ trace: 1, span: 9, said: 'hello' })] }),
    );
    await warehouse.settleAll();
    expect(await warehouse.said('earlier')).toEqual(['hello']);
    expect(await warehouse.said('later')).toBeUndefined();
  });
});

describe('a trace that names more conversations than are touched together', () => {
  const named = (span: number, conversation: string, parent?: number): SpanRecord =>
    plainSpan({
      trace: 1,
      span,
      attributes: { 'session.id': conversation },
      ...(parent === undefined ? {} : { parent }),
    });
  const touched = async (conversationId: string) => (await warehouse.conversation(conversationId)).touches;

  beforeEach(async () => {
    warehouse = createTestStores(database.current, undefined, { maxNamedOfTrace: 2 });
    const spans = ['a', 'b', 'c', 'd'].map((conversation, index) => named(10 + index, conversation));
    await warehouse.store(spansMessage({ spans }));
  });

  it('touches those that the new spans name, and not the others', async () => {
    await warehouse.store(spansMessage({ spans: [named(20, 'c')] }));
    expect([await touched('c'), await touched('d')]).toEqual([2, 1]);
  });

  it('touches those that the spans above the new ones name, however far', async () => {
    await warehouse.store(spansMessage({ spans: [plainSpan({ trace: 1, span: 20, parent: 13 })] }));
    await warehouse.store(spansMessage({ spans: [plainSpan({ trace: 1, span: 21, parent: 20 })] }));
    expect([await touched('c'), await touched('d')]).toEqual([1, 3]);
  });

  it('touches the one that the span of a new log record names', async () => {
    await warehouse.store(spansMessage({ logs: [userLog({ trace: 1, span: 12 })] }));
    expect([await touched('c'), await touched('d')]).toEqual([2, 1]);
  });

  it('touches the conversation that takes spans without a name, and the one that loses them', async () => {
    await warehouse.store(spansMessage({ spans: [named(1, 'first')] }));
    expect([await touched('first'), await touched('a'), await touched('d')]).toEqual([1, 2, 1]);
  });

  it('knows which of them was named first, in whatever order the spans come', async () => {
    await warehouse.store(spansMessage({ spans: [named(1, 'd')] }));
    await warehouse.store(spansMessage({ spans: [plainSpan({ trace: 1, span: 30 })] }));
    expect([await touched('a'), await touched('b'), await touched('d')]).toEqual([3, 1, 3]);
  });
});
