import { beforeEach, describe, expect, it } from '@jest/globals';
import { mongo } from 'mongoose';
import { nativeDb } from '@clew/persistence';
import { useTestEnvironment } from '@clew/testing';
import { packed } from '../packing/index.ts';
import { snapshotText, withoutWords, type SnapshotContent } from '../snapshots/index.ts';
import { useTestDatabase } from '../test-support/database.ts';
import { chatSpan, PROJECT_ID, spansMessage, traceId } from '../test-support/spans.ts';
import { createTestStores, type TestStores } from '../test-support/stores.ts';

const database = useTestDatabase(useTestEnvironment());
let warehouse: TestStores;

beforeEach(() => {
  warehouse = createTestStores(database.current);
});

const collection = (name: string) => nativeDb(database.current.connection).collection(name);

/** Call of conversation `c`, in its own trace. */
function call(index: number, said: string, attributes: Record<string, unknown> = {}) {
  const span = chatSpan({ trace: index, span: index, conversation: 'c', said, answered: `yes, ${said}`, attributes });
  return spansMessage({ spans: [span] });
}

/** Changes the stored content of the latest snapshot. */
async function rewrite(change: (content: SnapshotContent) => unknown): Promise<void> {
  const { snapshotId } = await warehouse.conversation('c');
  const snapshot = await warehouse.snapshotOf('c');
  const body = JSON.stringify(change(JSON.parse(snapshotText(snapshot!)) as SnapshotContent));
  const content = new mongo.Binary(await packed(body));
  await collection('snapshots').updateOne({ _id: snapshotId as never }, { $set: { content } });
}

describe('a conversation whose words have expired', () => {
  beforeEach(async () => {
    await warehouse.store(call(1, 'first'), call(2, 'second'));
    await warehouse.stores.scores.insert(null as never, PROJECT_ID, 'c', {
      ...{ id: 'scr_1', name: 'helpful', value: true, comment: 'very', source: 'user', createdAt: 1 },
    });
    await warehouse.settleAll();
    for (const trace of [1, 2])
      await collection('fragment_contents').deleteMany({ _id: { $regex: traceId(trace) } as never });
    await rewrite((content) => withoutWords(content));
  });

  it('has no new snapshot and no new event by that, when it is assembled again', async () => {
    const before = await warehouse.conversation('c');
    await warehouse.store(call(2, 'second'));
    await collection('fragment_contents').deleteMany({ _id: { $regex: traceId(2) } as never });
    await warehouse.settleAll();
    const { touches, assembledTouches, version, ...after } = await warehouse.conversation('c');
    expect([touches, assembledTouches, version]).toEqual([before.touches + 1, before.touches + 1, before.version + 1]);
    const { snapshotId, contentHash, messagesHash, evidenceHash, readyHash, revision, messageCount } = before;
    expect(after).toMatchObject({
      snapshotId,
      contentHash,
      messagesHash,
      evidenceHash,
      readyHash,
      revision,
      messageCount,
    });
    expect(await warehouse.announced()).toHaveLength(1);
  });

  it('goes on behind them, and is announced once', async () => {
    const hashes = (await warehouse.snapshotOf('c'))!.messages.map(({ hash }) => hash);
    await warehouse.store(call(3, 'third'));
    await warehouse.settleAll();
    const { messages } = (await warehouse.snapshotOf('c'))!;
    expect(messages.map(({ content, textExpired = false }) => [content, textExpired])).toEqual([
      ...Array.from({ length: 4 }, () => ['', true]),
      ['third', false],
      ['yes, third', false],
    ]);
    expect(messages.slice(0, 4).map(({ hash }) => hash)).toEqual(hashes);
    expect((await warehouse.announced()).map(({ revision }) => revision)).toEqual([1, 2]);
  });

  it('has a new snapshot where more becomes known of it than words', async () => {
    await warehouse.store(
      spansMessage({
        spans: [chatSpan({ trace: 2, span: 9, conversation: 'c', attributes: { 'gen_ai.agent.name': 'guide' } })],
      }),
    );
    await warehouse.settleAll();
    expect(await warehouse.conversation('c')).toMatchObject({ revision: 2, agents: ['guide'] });
    expect(await warehouse.announced()).toHaveLength(1);
  });
});
