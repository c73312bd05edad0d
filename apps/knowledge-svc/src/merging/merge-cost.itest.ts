import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { derivedId } from '@clew/kernel';
import { THE_PROJECT } from '@clew/knowledge';
import { explainSent, monitored, useTestEnvironment } from '@clew/testing';
import { createGoalStore } from '../goals/index.ts';
import { itemCollection, itemFields, type StoredItem } from '../items/index.ts';
import { itemWith } from '../test-support/items.ts';
import { PROJECT_ID, startTestService, type TestService } from '../test-support/service.ts';
import { createItemMerger, likenessOf, statementOf } from './index.ts';

const SMALL = 1_000;
/** Smaller than the 100,000 of the specification; `ITEM_COUNT=100000` runs the test at full size. */
const LARGE = Number(process.env['ITEM_COUNT'] ?? 10_000);
const BATCH = 1_000;

const environment = useTestEnvironment();
let service: TestService;

beforeAll(async () => {
  service = await startTestService(environment, { mongoUrl: monitored(environment.mongoUrl) });
});

afterAll(() => service.stop());

const sentence = (index: number) =>
  `customer${index % 97} of town${index % 89} asks for order${index % 83} with parcel${index % 79} in street${index}`;

function itemOf(index: number, goalId: string): StoredItem {
  return itemWith({ id: derivedId('kitm', goalId, String(index)), goalId, content: sentence(index), createdAt: index });
}

/** Documents and index keys read to merge one more item into a goal of that size. */
async function costAmong(count: number): Promise<{ documents: number; keys: number }> {
  const { id: goalId } = await service.newGoal(PROJECT_ID);
  const items = itemCollection(service.database);
  for (let start = 0; start < count; start += BATCH) {
    const some = Array.from({ length: BATCH }, (_, index) => itemOf(start + index, goalId));
    await items.insertMany(some.map((item) => ({ ...itemFields(item), ...likenessOf(item.content) })));
  }
  const merger = createItemMerger(service.database, createGoalStore(service.database));
  const content = sentence(7);
  const at = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), messageIndex: 0, startChar: 0, endChar: 5 };
  const commands = await explainSent(service.database, async () => {
    await service.database.withTransaction((tx) =>
      merger.add(
        tx,
        [
          {
            ...{
              id: derivedId('kitm', 'new'),
              projectId: PROJECT_ID,
              goalId,
              conversationId: 'd',
              title: 'x',
              content,
            },
            ...{
              kind: 'fact',
              confidence: 1,
              authority: 'user_stated',
              saidAt: 1,
              statement: statementOf(content),
              relations: [],
            },
            ...{ subject: { ...THE_PROJECT, userId: null }, validFrom: null, validUntil: null },
            evidence: [{ ...at, quote: 'x', conversationId: 'd', isCurrent: true }],
          },
        ],
        { model: 'acme/best', nowMs: 1 },
      ),
    );
  });
  const reads = commands.filter(({ plan }) => plan.startsWith('find items:'));
  expect(reads.length).toBeGreaterThanOrEqual(4);
  return {
    documents: reads.reduce((sum, { stats }) => sum + stats.totalDocsExamined, 0),
    keys: reads.reduce((sum, { stats }) => sum + stats.totalKeysExamined, 0),
  };
}

it(`merging reads no more in a goal of ${LARGE} items than its bounds, as in one of ${SMALL}`, async () => {
  const [small, large] = [await costAmong(SMALL), await costAmong(LARGE)];
  for (const { documents, keys } of [small, large]) {
    expect(documents).toBeLessThanOrEqual(4 * 50);
    expect(keys).toBeLessThanOrEqual(4 * 50 + 40);
  }
  expect(large.documents).toBeLessThanOrEqual(small.documents + 50);
}, 600_000);
