import { beforeEach, describe, expect, it } from '@jest/globals';
import { nativeDb } from '@clew/persistence';
import { useTestEnvironment } from '@clew/testing';
import {
  chatSpan,
  OTHER_PROJECT_ID,
  PROJECT_ID,
  plainSpan,
  spansMessage,
  traceId,
  type CallSpec,
} from '../test-support/spans.ts';
import { useTestDatabase } from '../test-support/database.ts';
import { createTestStores, QUIET_MS, type TestStores } from '../test-support/stores.ts';
import { assembleDue } from './assembler-loop.ts';

const database = useTestDatabase(useTestEnvironment());
let warehouse: TestStores;

beforeEach(() => {
  warehouse = createTestStores(database.current);
});

/** Call of conversation `c`, in its own trace. */
function call(index: number, said: string, more: Partial<CallSpec> = {}) {
  return spansMessage({ spans: [chatSpan({ trace: index, span: index, conversation: 'c', said, ...more })] });
}

/** Holds back a store's method until the test releases it, to put two processes in a chosen order. */
function held<Store extends object>(store: Store, method: keyof Store) {
  const reached = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const original = store[method] as (...args: unknown[]) => unknown;
  const wrapped = {
    ...store,
    [method]: async (...args: unknown[]) => {
      reached.resolve();
      await released.promise;
      return await original(...args);
    },
  };
  return { wrapped, reached: reached.promise, release: () => released.resolve() };
}

function heldWarehouse(store: 'conversations' | 'snapshots', method: string) {
  let hold: ReturnType<typeof held> | undefined;
  const stores = createTestStores(database.current, warehouse.clock, {
    wrap(name, one) {
      if (name !== store) return one;
      hold = held(one, method as keyof typeof one);
      return hold.wrapped as typeof one;
    },
  });
  return { stores, reached: hold!.reached, release: hold!.release };
}

describe('a conversation that is quiet', () => {
  it('gets a snapshot that is announced', async () => {
    await warehouse.store(call(1, 'hello'));
    await warehouse.settleAll();
    const { snapshotId, contentHash, revision } = await warehouse.conversation('c');
    expect(await warehouse.announced()).toEqual([
      expect.objectContaining({ conversationId: 'c', snapshotId, contentHash, revision, traceIds: [traceId(1)] }),
    ]);
    expect(revision).toBe(1);
  });

  it('is announced again when late spans change it, as a later revision', async () => {
    await warehouse.store(call(2, 'second'));
    await warehouse.settleAll();
    await warehouse.store(call(1, 'first'));
    await warehouse.settleAll();
    expect((await warehouse.announced()).map(({ revision, messageCount }) => [revision, messageCount])).toEqual([
      [1, 1],
      [2, 2],
    ]);
    expect(await warehouse.said('c')).toEqual(['first', 'second']);
  });

  it('is not announced again by spans that come twice, nor by those that say nothing', async () => {
    const message = call(1, 'hello');
    await warehouse.store(message);
    await warehouse.settleAll();
    await warehouse.store(message);
    await warehouse.settleAll();
    await warehouse.store(spansMessage({ spans: [plainSpan({ trace: 1, span: 9 })] }));
    await warehouse.settleAll();
    expect(await warehouse.announced()).toHaveLength(1);
  });

  it('has a new snapshot, but no new event, when only what surrounds its messages changes', async () => {
    await warehouse.store(call(1, 'hello'));
    await warehouse.settleAll();
    const before = await warehouse.conversation('c');
    const silent = { trace: 1, span: 2, conversation: 'c', attributes: { 'gen_ai.agent.name': 'guide' } };
    await warehouse.store(spansMessage({ spans: [chatSpan(silent)] }));
    await warehouse.settleAll();
    const after = await warehouse.conversation('c');
    expect(after).toMatchObject({ revision: 2, contentHash: before.contentHash, agents: ['guide'] });
    expect((await warehouse.snapshotOf('c'))?.agents).toEqual(['guide']);
    expect(await warehouse.announced()).toHaveLength(1);
  });

  it('is due again when something came while it was assembled', async () => {
    await warehouse.store(call(1, 'first'));
    const slow = heldWarehouse('snapshots', 'prepare');
    warehouse.clock.advance(QUIET_MS);
    const assembling = assembleDue(slow.stores.loop);
    await slow.reached;
    await warehouse.store(call(2, 'second'));
    slow.release();
    await assembling;
    expect(await warehouse.conversation('c')).toMatchObject({ assembledTouches: 1, touches: 2, leaseUntil: 0 });
    await warehouse.settleAll();
    expect(await warehouse.said('c')).toEqual(['first', 'second']);
  });

  it('is left until it is quiet when it goes on after it was claimed', async () => {
    await warehouse.store(call(1, 'first'));
    const slow = heldWarehouse('conversations', 'touchesOf');
    warehouse.clock.advance(QUIET_MS);
    const assembling = assembleDue(slow.stores.loop);
    await slow.reached;
    await warehouse.store(call(2, 'second'));
    slow.release();
    await assembling;
    expect(await warehouse.conversation('c')).toMatchObject({ assembledTouches: 0, attempts: 0, leaseUntil: 0 });
    expect(await warehouse.announced()).toEqual([]);
  });
});

describe('a conversation that comes back to what it said before', () => {
  it('is announced each time, as a later revision with a snapshot of its own', async () => {
    // A span that names no conversation belongs to the conversation of the first span that names one.
    const unnamed = chatSpan({ trace: 1, span: 5, said: 'wandering' });
    const first = chatSpan({ trace: 1, span: 4, conversation: 'c', said: 'own' });
    await warehouse.store(spansMessage({ spans: [first] }));
    await warehouse.settleAll();
    await warehouse.store(spansMessage({ spans: [unnamed] }));
    await warehouse.settleAll();
    await warehouse.store(spansMessage({ spans: [chatSpan({ trace: 1, span: 1, conversation: 'd' })] }));
    await warehouse.settleAll();
    const events = await warehouse.announced('c');
    expect(events.map(({ revision, messageCount }) => [revision, messageCount])).toEqual([
      [1, 1],
      [2, 2],
      [3, 1],
    ]);
    expect(events[2]!.contentHash).toBe(events[0]!.contentHash);
    expect(events[2]!.snapshotId).not.toBe(events[0]!.snapshotId);
    expect(await warehouse.said('c')).toEqual(['own']);
    expect(await warehouse.said('d')).toEqual(['wandering']);
  });
});

describe('two processes that assemble one conversation', () => {
  it('give each revision to one snapshot, and the later state wins', async () => {
    await warehouse.store(call(1, 'first'));
    const slow = heldWarehouse('snapshots', 'prepare');
    warehouse.clock.advance(QUIET_MS);
    const late = assembleDue(slow.stores.loop);
    await slow.reached;
    await warehouse.store(call(2, 'second'));
    await warehouse.assembler.snapshotNow(await warehouse.conversation('c'));
    slow.release();
    await late;
    await warehouse.settleAll();
    const snapshots = await nativeDb(database.current.connection).collection('snapshots').find().toArray();
    const revisions = snapshots.map(({ revision }) => revision as number);
    expect(new Set(revisions).size).toBe(revisions.length);
    expect(await warehouse.said('c')).toEqual(['first', 'second']);
    expect((await warehouse.announced()).at(-1)).toMatchObject({ messageCount: 2 });
  });

  it('announce a content once', async () => {
    await warehouse.store(call(1, 'first'));
    warehouse.clock.advance(QUIET_MS);
    const [claimed] = await warehouse.stores.due.claim(warehouse.clock.now(), 1);
    const settle = () => warehouse.assembler.settle([claimed!]);
    await Promise.all([settle(), settle(), settle()]);
    expect(await warehouse.announced()).toHaveLength(1);
    expect(await warehouse.conversation('c')).toMatchObject({ revision: 1, dueAt: null, attempts: 0 });
  });
});

describe('a snapshot that is asked for before the conversation is quiet', () => {
  it('is the one that is announced, where nothing comes any more', async () => {
    await warehouse.store(call(1, 'hello'));
    const asked = await warehouse.assembler.snapshotNow(await warehouse.conversation('c'));
    expect(await warehouse.announced()).toEqual([]);
    await warehouse.settleAll();
    expect((await warehouse.announced()).map(({ snapshotId }) => snapshotId)).toEqual([asked]);
  });

  it('leaves the conversation due, and its lease to whoever holds it', async () => {
    await warehouse.store(call(1, 'hello'));
    warehouse.clock.advance(QUIET_MS);
    await warehouse.stores.due.claim(warehouse.clock.now(), 1);
    const before = await warehouse.conversation('c');
    await warehouse.assembler.snapshotNow(before);
    const { dueAt, leaseUntil, claim, touches, assembledTouches } = before;
    expect(await warehouse.conversation('c')).toMatchObject({ dueAt, leaseUntil, claim, touches, assembledTouches });
  });

  it('changes nothing where the latest snapshot holds it already', async () => {
    await warehouse.store(call(1, 'hello'));
    await warehouse.settleAll();
    const settled = await warehouse.conversation('c');
    expect(await warehouse.assembler.snapshotNow(settled)).toBe(settled.snapshotId);
    expect(await warehouse.conversation('c')).toEqual(settled);
  });

  it('is replaced by an event of its own where the conversation comes back to what was announced before', async () => {
    const first = chatSpan({ trace: 1, span: 4, conversation: 'c', said: 'own' });
    await warehouse.store(spansMessage({ spans: [first] }));
    await warehouse.settleAll();
    await warehouse.store(spansMessage({ spans: [chatSpan({ trace: 1, span: 5, said: 'wandering' })] }));
    await warehouse.assembler.snapshotNow(await warehouse.conversation('c'));
    await warehouse.store(spansMessage({ spans: [chatSpan({ trace: 1, span: 1, conversation: 'd' })] }));
    await warehouse.settleAll();
    expect((await warehouse.announced('c')).map(({ revision }) => revision)).toEqual([1, 3]);
  });

  it('is none where the conversation says nothing', async () => {
    await warehouse.store(spansMessage({ spans: [chatSpan({ trace: 1, span: 1, conversation: 'c' })] }));
    expect(await warehouse.assembler.snapshotNow(await warehouse.conversation('c'))).toBeUndefined();
    await warehouse.settleAll();
    expect(await warehouse.conversation('c')).toMatchObject({
      listed: true,
      snapshotId: null,
      revision: 0,
      spanCount: 1,
    });
  });
});

describe('a conversation whose content retention has removed', () => {
  const collection = (name: string) => nativeDb(database.current.connection).collection(name);
  const expire = (name: string, trace: number) =>
    collection(name).deleteMany({ _id: { $regex: traceId(trace) } as never });

  it('keeps what its latest snapshot says when something comes late', async () => {
    await warehouse.store(call(1, 'first'), call(2, 'second'));
    await warehouse.settleAll();
    const before = await warehouse.conversation('c');
    await expire('fragment_contents', 1);
    await expire('fragment_contents', 2);
    await warehouse.store(spansMessage({ spans: [chatSpan({ trace: 2, span: 9, conversation: 'c' })] }));
    await warehouse.settleAll();
    expect(await warehouse.said('c')).toEqual(['first', 'second']);
    expect(await warehouse.announced()).toHaveLength(1);
    const { models, preview, messageCount } = before;
    expect(await warehouse.conversation('c')).toMatchObject({ models, preview, messageCount });
  });

  it('goes on after it', async () => {
    await warehouse.store(call(1, 'first'), call(2, 'second'));
    await warehouse.settleAll();
    await expire('fragment_contents', 1);
    await warehouse.store(call(3, 'third'));
    await warehouse.settleAll();
    expect(await warehouse.said('c')).toEqual(['first', 'second', 'third']);
    expect((await warehouse.snapshotOf('c'))?.messages.map((message) => message.traceId)).toEqual(
      [1, 2, 3].map(traceId),
    );
  });

  it('forgets what its spans said once these are removed as well', async () => {
    await warehouse.store(call(1, 'first'), call(2, 'second'));
    await warehouse.settleAll();
    await expire('fragment_contents', 1);
    await expire('trace_fragments', 1);
    await warehouse.store(call(3, 'third'));
    await warehouse.settleAll();
    expect(await warehouse.said('c')).toEqual(['second', 'third']);
  });

  it('keeps its last snapshot where nothing at all is left of it', async () => {
    await warehouse.store(spansMessage({ spans: [chatSpan({ trace: 1, span: 1, said: 'hello' })] }));
    await warehouse.settleAll();
    const before = await warehouse.conversation(traceId(1));
    await expire('fragment_contents', 1);
    await expire('trace_fragments', 1);
    await warehouse.stores.conversations.touch(
      [{ ...before, listed: false, startedAt: before.startedAt, lastActivityAt: before.lastActivityAt }],
      [],
      { receivedAt: warehouse.clock.now(), dueAt: warehouse.clock.now() },
    );
    await warehouse.settleAll();
    expect(await warehouse.said(traceId(1))).toEqual(['hello']);
    expect(await warehouse.announced()).toHaveLength(1);
  });

  it('says that it is not whole where nothing was assembled before', async () => {
    await warehouse.store(call(1, 'first'), call(2, 'second'));
    await expire('fragment_contents', 1);
    await warehouse.settleAll();
    expect(await warehouse.said('c')).toEqual(['second']);
    expect(await warehouse.snapshotOf('c')).toMatchObject({ truncated: true });
  });
});

it('the project with the fewest due conversations does not wait for the others', async () => {
  const saved: string[] = [];
  const { loop } = createTestStores(database.current, warehouse.clock, {
    wrap(name, store) {
      if (name !== 'snapshots') return store;
      const { insert } = store as unknown as TestStores['stores']['snapshots'];
      const recorded: typeof insert = (tx, documents) => {
        saved.push(...documents.map(({ projectId }) => projectId));
        return insert(tx, documents);
      };
      return { ...store, insert: recorded };
    },
  });
  const own = (trace: number, project: string) =>
    spansMessage({ spans: [chatSpan({ trace, span: 1, said: 'hello' })] }, project);
  await warehouse.store(own(1, PROJECT_ID), own(2, PROJECT_ID), own(3, OTHER_PROJECT_ID));
  warehouse.clock.advance(QUIET_MS);
  expect(await assembleDue(loop)).toBe(3);
  expect(saved).toEqual([OTHER_PROJECT_ID, PROJECT_ID, PROJECT_ID]);
});

describe('a conversation that cannot be assembled', () => {
  it('waits for longer with every attempt, while the others are served', async () => {
    const broken = createTestStores(database.current, warehouse.clock, {
      wrap: (name, store) =>
        name === 'fragments' ? { ...store, tracesNaming: failFor('c', store as unknown as Naming) } : store,
    });
    await warehouse.store(call(1, 'hello'), spansMessage({ spans: [chatSpan({ trace: 2, span: 2, said: 'fine' })] }));
    await broken.settleAll();
    expect(await warehouse.announced()).toMatchObject([{ conversationId: traceId(2) }]);
    expect(await warehouse.conversation('c')).toMatchObject({ attempts: 1, leaseUntil: 0, claim: null });
    expect((await warehouse.conversation('c')).dueAt).toBeGreaterThan(warehouse.clock.now());
    expect(await assembleDue(broken.loop)).toBe(0);
    await warehouse.settleAll();
    expect(await warehouse.said('c')).toEqual(['hello']);
    expect(await warehouse.conversation('c')).toMatchObject({ attempts: 0 });
  });
});

type Naming = Pick<TestStores['stores']['fragments'], 'tracesNaming'>;

function failFor(conversation: string, { tracesNaming }: Naming): Naming['tracesNaming'] {
  return (projectId, names, limit) =>
    names.includes(conversation) ? Promise.reject(new Error('cannot be read')) : tracesNaming(projectId, names, limit);
}
