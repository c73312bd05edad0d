import { beforeEach, describe, expect, it } from '@jest/globals';
import { useTestEnvironment } from '@clew/testing';
import { chatSpan, plainSpan, PROJECT_ID, spanId, spansMessage, traceId, userLog } from '../test-support/spans.ts';
import { useTestDatabase } from '../test-support/database.ts';
import { createTestStores, type TestStores } from '../test-support/stores.ts';
import { profiled, unindexed } from '../test-support/profile.ts';
import type { OutlineLimits } from './outlines.ts';
import type { ReadOutcome } from './read-conversations.ts';
import type { Layout } from './layout.ts';
import { createTraceLayouts, type TraceLayoutsOptions } from './trace-layouts.ts';

const database = useTestDatabase(useTestEnvironment());
let warehouse: TestStores;

beforeEach(() => {
  warehouse = createTestStores(database.current);
});

const call = (trace: number, span: number, conversation: string) =>
  spansMessage({ spans: [chatSpan({ trace, span, conversation, said: `word ${span}` })] });

const MUCH: OutlineLimits = {
  ...{ maxTraces: 100, maxSpans: 100, maxRecords: 100, maxCharacters: 1_000_000, maxTogether: 100 },
};
/** Limits so low that nearly everything is large. */
const LITTLE = { limits: { fragments: 2, characters: 1_000_000 } };

async function laidOut(
  traceIds: readonly string[],
  { wanted, ...options }: TraceLayoutsOptions & { wanted?: string[] },
) {
  const layouts = createTraceLayouts(warehouse.stores.fragments, options);
  const found: Layout[] = [];
  for await (const layout of layouts.walk(PROJECT_ID, traceIds, (name) => wanted?.includes(name) !== false)) {
    found.push(layout);
  }
  return { found, hasSeveral: layouts.hasSeveral(PROJECT_ID, traceIds[0] ?? '') };
}

/** Span ids of each part, by conversation. */
function spansOf({ parts }: Layout): Record<string, string[]> {
  return Object.fromEntries([...parts].map(([name, { spans }]) => [name, spans.map((span) => span.spanId).sort()]));
}

describe('more than is read at once', () => {
  it('is read in parts, of many traces, in the order in which they are asked for', async () => {
    for (let index = 1; index <= 9; index += 1) await warehouse.store(call(index, index, 'c'));
    const traceIds = [5, 2, 9, 1, 3, 7, 8, 4, 6].map(traceId);
    const { found } = await laidOut([...traceIds, traceId(77)], LITTLE);
    expect(found.map((layout) => layout.traceId)).toEqual(traceIds);
    expect(found.map(({ parts }) => parts.get('c')?.truncated)).toEqual(traceIds.map(() => false));
  });

  describe('of one trace', () => {
    beforeEach(async () => {
      for (let span = 1; span <= 9; span += 3) {
        const spans = [chatSpan({ trace: 1, span, conversation: `c${span}` })];
        await warehouse.store(spansMessage({ spans }));
        const below = plainSpan({ trace: 1, span: span + 1, parent: span });
        const logs = [userLog({ trace: 1, span: span + 1 }), userLog({ trace: 1, span: 50 + span })];
        await warehouse.store(spansMessage({ spans: [below, plainSpan({ trace: 1, span: span + 2 })], logs }));
      }
    });

    it('is what is wanted of it, as it would be of the whole', async () => {
      const whole = await laidOut([traceId(1)], {});
      const all = spansOf(whole.found[0]!);
      expect(all).toEqual({ c1: [1, 2, 3, 6, 9].map(spanId), c4: [4, 5].map(spanId), c7: [7, 8].map(spanId) });
      expect(await laidOut([traceId(1)], LITTLE)).toEqual(whole);
      const { found } = await laidOut([traceId(1)], { ...LITTLE, wanted: ['c1', 'c7'] });
      expect(spansOf(found[0]!)).toEqual({ c1: all['c1'], c7: all['c7'] });
      expect(found[0]!.hasMore).toBe(false);
    });

    it('is cut, and says so, where more is wanted than is held, or there is more than is looked at', async () => {
      const { found: held } = await laidOut([traceId(1)], { ...LITTLE, maxRecords: 4, wanted: ['c1'] });
      expect(held[0]).toMatchObject({ hasMore: true });
      expect(held[0]!.parts.get('c1')).toMatchObject({ truncated: true });
      const { found: seen } = await laidOut([traceId(1)], { ...LITTLE, maxSpans: 5 });
      expect(spansOf(seen[0]!)).toEqual({ c1: [1, 2, 3].map(spanId), c4: [spanId(4)] });
      expect(seen[0]!.parts.get('c4')).toMatchObject({ truncated: true });
    });

    it('gives the same conversations, however little of it is held at a time', async () => {
      for (let index = 2; index <= 5; index += 1) await warehouse.store(call(index, index, `c${index}`));
      const names = ['c1', 'c2', 'c3', 'c4', 'c5', 'c7'];
      const read = async (limits: Partial<OutlineLimits>, options: TraceLayoutsOptions) => {
        const stores = createTestStores(database.current, warehouse.clock, { limits: { ...MUCH, ...limits } });
        const conversations = await Promise.all(names.map((name) => stores.conversation(name)));
        const layouts = createTraceLayouts(stores.stores.fragments, options);
        const outcomes: ReadOutcome[] = [];
        for await (const outcome of stores.readConversations(conversations, layouts)) outcomes.push(outcome);
        return outcomes.map(({ conversation, result }) => [conversation.conversationId, result]);
      };
      const whole = await read({}, {});
      expect(whole.map(([name]) => name)).toEqual(names);
      expect(whole[0]).toEqual(['c1', { assembled: expect.objectContaining({ spanCount: 8, truncated: false }) }]);
      for (const maxTogether of [1, 5, 9]) expect(await read({ maxTogether }, {})).toEqual(whole);
      expect(await read({}, LITTLE)).toEqual(whole);
      // Each of the three fits alone; two together do not.
      expect(await read({}, { ...LITTLE, maxRecords: 9 })).toEqual(whole);
    });
  });

  it('is the beginning of a conversation of very many traces', async () => {
    const limits = { ...MUCH, maxTraces: 3 };
    const bounded = createTestStores(database.current, warehouse.clock, { limits });
    for (const index of [5, 2, 4, 1, 3]) await bounded.store(call(index, index, 'c'));
    const wrapped = createTestStores(database.current, warehouse.clock, {
      limits,
      // Simulates more fragments that name conversations than one query returns.
      wrap: (name, store) =>
        name === 'fragments' ? { ...store, tracesNaming: () => Promise.resolve(undefined) } : store,
    });
    const { messages, truncated } = await wrapped.read(await bounded.conversation('c'));
    expect(messages.map(({ content }) => content)).toEqual(['word 1', 'word 2', 'word 3']);
    expect(truncated).toBe(true);
  });
});

describe('a trace of very many messages', () => {
  const MANY = 70;

  beforeEach(async () => {
    await warehouse.store(call(1, 1, 'a'), call(1, 2, 'b'));
    for (let span = 3; span <= MANY; span += 1) {
      await warehouse.store(spansMessage({ spans: [plainSpan({ trace: 1, span, parent: 2 })] }));
    }
  });

  it('still finds the conversations that a new span changes, and not the others', async () => {
    const before = [await warehouse.conversation('a'), await warehouse.conversation('b')];
    await warehouse.store(spansMessage({ spans: [plainSpan({ trace: 1, span: 99, parent: 50 })] }));
    const after = [await warehouse.conversation('a'), await warehouse.conversation('b')];
    // Spans without a named span above them belong to the first named conversation, so it is always notified.
    expect(after.map(({ touches }, index) => touches - before[index]!.touches)).toEqual([1, 1]);
    await warehouse.settleAll();
    expect(await warehouse.conversation('b')).toMatchObject({ spanCount: MANY });
    expect(await warehouse.conversation('a')).toMatchObject({ spanCount: 1 });
  });

  it('is written and read by indexes alone', async () => {
    const operations = await profiled(
      database.current,
      async () => {
        await warehouse.store(spansMessage({ spans: [plainSpan({ trace: 1, span: 99, parent: 50 })] }));
        await warehouse.settleAll();
      },
      'trace_fragments',
    );
    expect(operations.length).toBeGreaterThan(0);
    expect(unindexed(operations)).toEqual([]);
  });
});
