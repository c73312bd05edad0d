import { beforeEach, describe, expect, it } from '@jest/globals';
import { explainUsesIndex, useTestEnvironment } from '@clew/testing';
import { chatSpan, spansMessage, STARTED_AT } from '../test-support/spans.ts';
import { createTestStores, QUIET_MS, useTestDatabase, type TestStores } from '../test-support/stores.ts';
import { conversationModel } from './conversation.model.ts';
import type { DueConversations } from './due-conversations.store.ts';

const database = useTestDatabase(useTestEnvironment());
const DUE_AT = STARTED_AT + QUIET_MS;
const LEASE_MS = 60_000;
let warehouse: TestStores;
let due: DueConversations;

beforeEach(() => {
  warehouse = createTestStores(database.current);
  due = warehouse.stores.due;
});

async function haveConversations(...names: string[]): Promise<void> {
  for (const [index, conversation] of names.entries()) {
    await warehouse.store(spansMessage({ spans: [chatSpan({ trace: index + 1, span: 1, conversation, said: 'hi' })] }));
    warehouse.clock.advance(1);
  }
}

async function claim(nowMs: number, limit = 10): Promise<string[]> {
  return (await due.claim(nowMs, { limit, leaseMs: LEASE_MS })).map(({ conversationId }) => conversationId);
}

describe('a claim', () => {
  it('takes what has been quiet long enough, the longest due first, at most as many as asked for', async () => {
    await haveConversations('a', 'b', 'c');
    expect(await claim(DUE_AT - 1)).toEqual([]);
    expect(await claim(DUE_AT + 1, 1)).toEqual(['a']);
    expect(await claim(DUE_AT + 5)).toEqual(['b', 'c']);
  });

  it('is exclusive: of many processes that claim at once, one gets each conversation', async () => {
    await haveConversations('a', 'b', 'c', 'd', 'e');
    const claims = await Promise.all(Array.from({ length: 8 }, () => claim(DUE_AT + 10, 2)));
    expect(claims.flat().length).toBe(new Set(claims.flat()).size);
    expect(claims.flat().length).toBeGreaterThan(0);
  });

  it('ends with its lease, so that another process takes over from one that was killed', async () => {
    await haveConversations('a');
    expect(await claim(DUE_AT)).toEqual(['a']);
    expect(await claim(DUE_AT + LEASE_MS - 1)).toEqual([]);
    expect(await claim(DUE_AT + LEASE_MS)).toEqual(['a']);
  });

  it('takes one that was claimed before without success alone, and for longer each time', async () => {
    await haveConversations('killer', 'innocent', 'other');
    expect(await claim(DUE_AT + 10)).toEqual(['killer', 'innocent', 'other']);
    const secondMs = DUE_AT + 10 + LEASE_MS;
    expect(await claim(secondMs)).toEqual(['killer']);
    expect(await claim(secondMs)).toEqual(['innocent']);
    expect(await claim(secondMs + LEASE_MS)).toEqual(['other']);
    expect(await claim(secondMs + 2 * LEASE_MS)).toContain('killer');
  });

  it('passes over conversations that failed before, where others are due as long', async () => {
    await haveConversations('a', 'b');
    const [a] = await due.claim(DUE_AT, { limit: 1, leaseMs: LEASE_MS });
    await due.putOff(a!, DUE_AT);
    await haveConversations('c');
    expect(await claim(DUE_AT + 10)).toEqual(['b', 'c']);
  });

  it('is answered by an index that holds nothing else than what is due', async () => {
    await haveConversations('a', 'b');
    await warehouse.settleAll();
    const model = conversationModel(database.current.connection);
    const query = () =>
      model.find({ dueAt: { $gt: 0, $lte: DUE_AT }, leaseUntil: { $lte: DUE_AT } }).sort({ dueAt: 1 });
    await expect(explainUsesIndex(query())).resolves.toContain('IXSCAN');
    const { executionStats } = (await query().explain('executionStats')) as unknown as {
      executionStats: { totalKeysExamined: number };
    };
    expect(executionStats.totalKeysExamined).toBe(0);
  });
});

describe('a conversation that fails', () => {
  it('comes again after a time that grows with every failure, up to ten minutes', async () => {
    await haveConversations('a');
    let nowMs = DUE_AT;
    const delays: number[] = [];
    for (let attempt = 0; attempt < 12; attempt += 1) {
      const [claimed] = await due.claim(nowMs, { limit: 1, leaseMs: LEASE_MS });
      await due.putOff(claimed!, nowMs);
      const { dueAt } = await warehouse.conversation('a');
      delays.push(dueAt! - nowMs);
      nowMs = dueAt!;
    }
    expect(delays.slice(0, 3)).toEqual([2_000, 4_000, 8_000]);
    expect(delays.at(-1)).toBe(600_000);
  });

  it('is not hurried by what comes of it meanwhile', async () => {
    await haveConversations('a');
    const [claimed] = await due.claim(DUE_AT, { limit: 1, leaseMs: LEASE_MS });
    await due.putOff({ ...claimed!, attempts: 20 }, DUE_AT);
    await warehouse.store(spansMessage({ spans: [chatSpan({ trace: 1, span: 2, conversation: 'a' })] }));
    expect((await warehouse.conversation('a')).dueAt).toBe(DUE_AT + 600_000);
  });

  it('counts no failure when it is given back', async () => {
    await haveConversations('a');
    const [claimed] = await due.claim(DUE_AT, { limit: 1, leaseMs: LEASE_MS });
    await due.giveBack(claimed!);
    expect(await warehouse.conversation('a')).toMatchObject({ attempts: 0, leaseUntil: 0, claim: null, dueAt: DUE_AT });
  });

  it('is left alone by a process whose lease another one has taken over', async () => {
    await haveConversations('a');
    const [late] = await due.claim(DUE_AT, { limit: 1, leaseMs: LEASE_MS });
    await claim(DUE_AT + LEASE_MS);
    const held = await warehouse.conversation('a');
    await due.giveBack(late!);
    await due.putOff(late!, DUE_AT + LEASE_MS);
    expect(await warehouse.conversation('a')).toEqual(held);
  });
});
