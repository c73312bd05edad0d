import { beforeEach, describe, expect, it } from '@jest/globals';
import { propertyRuns, useTestEnvironment } from '@clew/testing';
import fc from 'fast-check';
import { chatSpan, PROJECT_ID, spansMessage, traceId, userLog } from '../test-support/spans.ts';
import { emptyDatabase, useTestDatabase } from '../test-support/database.ts';
import { createTestStores, type TestStores } from '../test-support/stores.ts';
import { MAX_SMALL_FRAGMENTS } from './compaction.ts';
import { contentCollection, fragmentCollection } from './fragments.store.ts';

const database = useTestDatabase(useTestEnvironment());
let warehouse: TestStores;

beforeEach(() => {
  warehouse = createTestStores(database.current);
});

const RUNS = propertyRuns(8);
const TIMEOUT_MS = 600_000;
const MANY = MAX_SMALL_FRAGMENTS + 3;

/** Each span in its own message, as some exporters send them. */
const singles = (count = MANY) =>
  Array.from({ length: count }, (_, index) =>
    index === 0
      ? spansMessage({
          spans: [chatSpan({ trace: 1, span: 1, conversation: 'c', answered: 'word 0' })],
          logs: [userLog({ trace: 1, span: 1, said: 'noted' })],
        })
      : spansMessage({ spans: [chatSpan({ trace: 1, span: index + 1, conversation: 'c', said: `word ${index}` })] }),
  );

async function counts(): Promise<number[]> {
  return [
    await fragmentCollection(database.current).countDocuments(),
    await contentCollection(database.current).countDocuments(),
  ];
}

describe('a trace that came in many small messages', () => {
  it('is put together once it was assembled, and says the same', async () => {
    await warehouse.store(...singles());
    expect(await counts()).toEqual([MANY, MANY]);
    await warehouse.settleAll();
    expect(await counts()).toEqual([1, 1]);
    const before = await warehouse.conversation('c');
    await warehouse.store(spansMessage({ spans: [chatSpan({ trace: 1, span: 99, conversation: 'c', said: 'late' })] }));
    await warehouse.settleAll();
    const said = (await warehouse.said('c')) ?? [];
    expect(said).toHaveLength(before.messageCount + 1);
    expect(said).toEqual(expect.arrayContaining(['word 0', 'noted', `word ${MANY - 1}`, 'late']));
  });

  it('stays as it is when all of it comes again', async () => {
    await warehouse.store(...singles());
    await warehouse.settleAll();
    const before = await warehouse.conversation('c');
    await warehouse.store(...singles());
    await warehouse.settleAll();
    const { snapshotId, contentHash, spanCount } = await warehouse.conversation('c');
    expect({ snapshotId, contentHash, spanCount }).toEqual({
      snapshotId: before.snapshotId,
      contentHash: before.contentHash,
      spanCount: before.spanCount,
    });
    expect(await warehouse.announced('c')).toHaveLength(1);
  });

  it('is put together by one of two processes, and read whole by whoever reads it meanwhile', async () => {
    await warehouse.store(...singles());
    const { compaction } = warehouse.stores;
    const known = await warehouse.conversation('c');
    const [assembled] = await Promise.all([
      warehouse.read(known),
      compaction.compact(PROJECT_ID, traceId(1)),
      compaction.compact(PROJECT_ID, traceId(1)),
    ]);
    expect(assembled.messages).toHaveLength(MANY + 1);
    expect(assembled.truncated).toBe(false);
    expect(await counts()).toEqual([1, 1]);
  });

  it('leaves alone what has expired', async () => {
    await warehouse.store(...singles());
    await contentCollection(database.current).deleteMany({});
    expect(await warehouse.stores.compaction.compact(PROJECT_ID, traceId(1))).toBe(0);
    expect(await counts()).toEqual([MANY, 0]);
  });

  it(
    'reads as before, whatever its messages held and in whatever order they came',
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.record({ span: fc.integer({ min: 1, max: 8 }), version: fc.integer({ min: 0, max: 2 }) }), {
            minLength: MANY,
            maxLength: MANY + 6,
          }),
          async (parts) => {
            await emptyDatabase(database.current);
            const stores = createTestStores(database.current);
            for (const { span, version } of parts) {
              const call = chatSpan({ trace: 1, span, conversation: 'c', said: `span ${span}, version ${version}` });
              await stores.store(spansMessage({ spans: [call] }));
            }
            const known = await stores.conversation('c');
            const before = await stores.read(known);
            await stores.stores.compaction.compact(PROJECT_ID, traceId(1));
            expect(await stores.read(known)).toEqual(before);
          },
        ),
        { ...RUNS },
      );
    },
    TIMEOUT_MS,
  );
});
