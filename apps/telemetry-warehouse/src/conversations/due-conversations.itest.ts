import { beforeEach, describe, expect, it } from '@jest/globals';
import { explainUsesIndex, useTestEnvironment } from '@clew/testing';
import { chatSpan, spansMessage, STARTED_AT } from '../test-support/spans.ts';
import { useTestDatabase } from '../test-support/database.ts';
import { createTestStores, QUIET_MS, type TestStores } from '../test-support/stores.ts';
import { conversationModel } from './conversation.model.ts';
import type { DueConversations } from './due-conversations.store.ts';

const database = useTestDatabase(useTestEnvironment());
const DUE_AT = STARTED_AT + QUIET_MS;
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
  return (await due.claim(nowMs, limit)).map(({ conversationId }) => conversationId);
}

describe('conversations that are due', () => {
  it('are those that have been quiet long enough, the longest due first', async () => {
    await haveConversations('a', 'b', 'c');
    expect(await claim(DUE_AT - 1)).toEqual([]);
    expect(await claim(DUE_AT + 1, 1)).toEqual(['a']);
    expect(await claim(DUE_AT + 5)).toEqual(['b', 'c']);
  });

  it('are claimed without their words', async () => {
    await haveConversations('a');
    expect(await due.claim(DUE_AT, 1)).toEqual([expect.not.objectContaining({ terms: expect.anything() as unknown })]);
  });

  it('are put off when they fail, and what comes of them meanwhile does not hurry them', async () => {
    await haveConversations('a');
    const [claimed] = await due.claim(DUE_AT, 1);
    await due.putOff({ ...claimed!, attempts: 20 }, DUE_AT, 'why');
    await warehouse.store(spansMessage({ spans: [chatSpan({ trace: 1, span: 2, conversation: 'a' })] }));
    expect((await warehouse.conversation('a')).dueAt).toBe(DUE_AT + 600_000);
  });

  it('are found by an index that holds nothing else', async () => {
    await haveConversations('a', 'b');
    await warehouse.settleAll();
    const model = conversationModel(database.current.connection);
    const query = () => model.find({ dueAt: { $gt: 0, $lte: DUE_AT } }).sort({ dueAt: 1 });
    await expect(explainUsesIndex(query())).resolves.toContain('IXSCAN');
    const { executionStats } = (await query().explain('executionStats')) as unknown as {
      executionStats: { totalKeysExamined: number };
    };
    expect(executionStats.totalKeysExamined).toBe(0);
  });
});
